import { createServer } from 'node:net';
import type { Settings } from '#platform/config/settings.ts';
import { ownEntry } from '#platform/own-entry.ts';

type Address = Pick<Settings, 'port' | 'host' | 'inboundSmtpPort'>;

/**
 * Fails when the API could not listen, before anything is started: a first start that ended at its last step would have
 * made a database and shown its password in vain.
 */
export async function probePort(settings: Address): Promise<void> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(settings.port, settings.host, resolve);
    });
  } catch (error) {
    throw explainListen(error, settings) ?? error;
  }
  await new Promise((resolve) => server.close(resolve));
}

/** A sentence that names the setting and the remedy; undefined for a failure that is not one of listening. */
export function explainListen(error: unknown, { host, port, inboundSmtpPort }: Address): Error | undefined {
  const { code, syscall, port: refused, hostname } = Object(error) as Partial<ListenError>; // Node's own fields
  const listened = syscall === 'listen' || (syscall === 'getaddrinfo' && hostname === host);
  if (!listened || code === undefined) return undefined;
  const setting = refused === inboundSmtpPort && refused !== port ? 'POSTHORN_INBOUND_SMTP_PORT' : 'PORT';
  const message = ownEntry(MESSAGES, code)?.({ setting, host, port: refused ?? port });
  return message === undefined ? undefined : new Error(message, { cause: error });
}

interface ListenError {
  code: string;
  syscall: string;
  port: number;
  hostname: string;
}

interface Refused {
  setting: 'PORT' | 'POSTHORN_INBOUND_SMTP_PORT';
  host: string;
  port: number;
}

const noAddress = ({ host }: Refused): string =>
  `POSTHORN_HOST is "${host}", which is no address of this machine. Set it to 127.0.0.1 (only this machine can connect), 0.0.0.0 (all networks) or an address of this machine.`;

const MESSAGES: Readonly<Record<string, (refused: Refused) => string>> = {
  EADDRINUSE: ({ setting, host, port }) =>
    `Port ${port} of ${host} is in use by another program, perhaps another Posthorn. Stop that program, or set ${setting} to a free port (${setting}=${port + 1} npm start).`,
  EACCES: ({ setting, port }) =>
    `This user may not listen on port ${port}: ports below 1024 are for root. Set ${setting} to a higher port, and forward the lower one to it (docs/deploying.md).`,
  EADDRNOTAVAIL: noAddress,
  ENOTFOUND: noAddress,
  EAI_AGAIN: noAddress,
};
