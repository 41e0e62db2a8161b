import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import type { Settings } from '#platform/config/settings.ts';
import { ownEntry } from '#platform/own-entry.ts';

type Address = Pick<Settings, 'port' | 'host' | 'inboundSmtpPort'>;

// Nothing of ours listens there, and what does is left at once.
const ANY_PORT = 1;
const ANSWER_MS = 1_000;

/**
 * Fails when the API could not listen, before anything is started: a first start that ended at its last step would have
 * made a database and shown its password in vain. The port is taken by a connection that leaves from it: a listener
 * would be connected by callers that wait for this process, and reset them.
 */
export async function probePort(settings: Address): Promise<void> {
  try {
    const { address } = await lookup(settings.host);
    const error = await failureToLeave(address, settings.port);
    // That nobody answers, or may be connected to, says nothing about listening.
    if (error?.syscall === 'bind') throw Object.assign(error, { syscall: 'listen', port: settings.port });
  } catch (error) {
    throw explainListen(error, settings) ?? error;
  }
}

/** The error of a connection from that address to this machine; undefined when there is none within a second. */
async function failureToLeave(localAddress: string, localPort: number): Promise<NodeJS.ErrnoException | undefined> {
  const host = ownEntry(ITSELF, localAddress) ?? localAddress;
  const socket = connect({ host, port: ANY_PORT, localAddress, localPort });
  try {
    return await new Promise((resolve) => {
      socket.setTimeout(ANSWER_MS, () => resolve(undefined));
      socket.once('connect', () => resolve(undefined)).on('error', resolve);
    });
  } finally {
    socket.destroy();
  }
}

/** Where a machine is reached that listens on all its addresses. */
const ITSELF: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

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
