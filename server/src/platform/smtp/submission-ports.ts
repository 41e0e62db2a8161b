import type { Server } from 'node:net';
import type { Clock, Timer } from '../clock.ts';
import type { Log } from '../log.ts';

export interface SubmissionPorts {
  /** STARTTLS; null: off. 0: any free one. */
  startTls: number | null;
  /** TLS from the first byte; null: off. */
  implicitTls: number | null;
}

interface Listening {
  name: string;
  log: Log;
  clock: Clock;
  host: string;
  kind: keyof SubmissionPorts;
  port: number;
  onPort(port: number | null): void;
}

/** A port in use may become free: the process before this one has not ended yet. */
const LISTEN_AGAIN_MS = 5_000;

/** Listens, now or when the port is free: a process starts without it, and says so. */
export function listenAgain(server: Server, to: Listening): { first: Promise<void>; stop(): void } {
  const { log, clock, name, kind, host } = to;
  let again: Timer | undefined;
  const listen = async (isFirst: boolean): Promise<void> => {
    const fault = await listenOn(server, to.port, host);
    if (fault === null) {
      const port = portOf(server);
      to.onPort(port);
      log.info({ service: name, host, port, tls: kind }, 'listening for SMTP');
      return;
    }
    if (isFirst) log.warn({ service: name, port: to.port, code: fault }, explain(kind, to.port, fault));
    again = clock.timer(LISTEN_AGAIN_MS, () => void listen(false));
  };
  return {
    first: listen(true),
    stop() {
      again?.cancel();
      server.close();
    },
  };
}

/** null: it listens. Otherwise the code of the fault. */
function listenOn(server: Server, port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException): void => resolve(error.code ?? error.message);
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      resolve(null);
    });
  });
}

function portOf(server: Server): number | null {
  const bound = server.address();
  return typeof bound === 'object' && bound !== null ? bound.port : null;
}

const SETTING: Readonly<Record<keyof SubmissionPorts, string>> = {
  startTls: 'POSTHORN_SMTP_RELAY_PORT',
  implicitTls: 'POSTHORN_SMTP_RELAYS_PORT',
};

function explain(kind: keyof SubmissionPorts, port: number, fault: string): string {
  const setting = SETTING[kind];
  if (fault === 'EADDRINUSE')
    return `port ${port} is in use by another program, so the SMTP relay does not listen there yet: stop that program, or set ${setting} to a free port, or to 0 to turn it off`;
  if (fault === 'EACCES')
    return `this user may not listen on port ${port}, so the SMTP relay does not listen there: set ${setting} to a port above 1023`;
  return `the SMTP relay cannot listen on port ${port} (${fault}): set ${setting} to another port, or to 0 to turn it off`;
}
