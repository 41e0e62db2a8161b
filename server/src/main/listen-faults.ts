import { createServer } from 'node:net';
import type { Settings } from '#platform/config/settings.ts';

type Address = Pick<Settings, 'port' | 'host'>;

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

/** A sentence that names the setting and the remedy; undefined for a failure that we do not know. */
export function explainListen(error: unknown, { port, host }: Address): Error | undefined {
  const { code } = error as NodeJS.ErrnoException;
  const message = code === undefined ? undefined : MESSAGES[code]?.(port, host);
  return message === undefined ? undefined : new Error(message, { cause: error });
}

const noAddress = (_port: number, host: string): string =>
  `POSTHORN_HOST is "${host}", which is no address of this machine. Set it to 127.0.0.1 (only this machine can connect), 0.0.0.0 (all networks) or an address of this machine.`;

const MESSAGES: Readonly<Record<string, (port: number, host: string) => string>> = {
  EADDRINUSE: (port, host) =>
    `Port ${port} of ${host} is in use by another program, perhaps another Posthorn. Stop that program, or set PORT to a free port (PORT=${port + 1} npm start).`,
  EACCES: (port) =>
    `This user may not listen on port ${port}: ports below 1024 are for root. Set PORT to a higher port, and let a proxy pass requests on to it (docs/deploying.md).`,
  EADDRNOTAVAIL: noAddress,
  ENOTFOUND: noAddress,
  EAI_AGAIN: noAddress,
};
