import { createServer, type Server, type Socket } from 'node:net';
import { chooseFaults, type FaultChooser, type FaultPlan } from './smtp-faults.ts';
import { SinkConnection, type SinkManners, type SinkMessage } from './smtp-sink-connection.ts';

/**
 * An SMTP server on loopback that takes every message, records it, and misbehaves on demand. Written on bare sockets:
 * it must be able to do what no SMTP library would, and be fast enough to measure against (one message costs it about
 * 20 µs).
 */
export interface SinkOptions extends SinkManners {
  /** 0 or left out: any free port. */
  port?: number;
  host?: string;
  faults?: FaultPlan;
  /** Keep the messages themselves; false for long benches, where `onMessage` counts. True when left out. */
  keepMessages?: boolean;
  /** Refuses the connections beyond so many at once with 421. */
  connectionsMax?: number;
  /** Called before a message is answered: what it throws becomes a 451. */
  onMessage?(message: SinkMessage): void;
}

export interface SmtpSink {
  readonly port: number;
  /** smtp://127.0.0.1:port */
  readonly url: string;
  readonly messages: readonly SinkMessage[];
  /** Messages taken, kept or not. */
  readonly count: number;
  /** Connections accepted so far, and open now. */
  readonly connections: number;
  readonly open: number;
  /** Command lines received, in order; message bytes are not among them. */
  readonly commands: readonly string[];
  setFaults(plan: FaultPlan | undefined): void;
  /** Resolves when `count` messages have been taken in all. */
  waitFor(count: number, timeoutMs?: number): Promise<void>;
  /** Stops listening and destroys every connection, as a crash of the server does. */
  disappear(): Promise<void>;
  /** Listens again on the same port. */
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

/** The most messages that arrived within any window of this length: what pacing is judged by. */
export function mostInWindow(times: readonly number[], windowMs = 1000): number {
  const sorted = [...times].sort((a, b) => a - b);
  let most = 0;
  let from = 0;
  for (const [index, time] of sorted.entries()) {
    while (time - (sorted[from] ?? time) >= windowMs) from += 1;
    most = Math.max(most, index - from + 1);
  }
  return most;
}

export async function startSmtpSink(options: SinkOptions = {}): Promise<SmtpSink> {
  const host = options.host ?? '127.0.0.1';
  const messages: SinkMessage[] = [];
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  const waiting = new Set<() => void>();
  let faults: FaultChooser | undefined = options.faults && chooseFaults(options.faults);
  let connections = 0;
  let count = 0;
  let port = options.port ?? 0;
  let server: Server | undefined;

  const take = (message: SinkMessage): void => {
    options.onMessage?.(message);
    count += 1;
    if (options.keepMessages !== false) messages.push(message);
    for (const check of waiting) check();
  };

  const listen = async (): Promise<void> => {
    const listening = createServer((socket) => {
      connections += 1;
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      new SinkConnection(socket, {
        options,
        number: connections,
        full: sockets.size > (options.connectionsMax ?? Number.POSITIVE_INFINITY),
        take,
        heard: (line) => commands.push(line),
        choose: (at, address) => faults?.choose(at, address),
      });
    });
    await new Promise<void>((resolve, reject) => {
      listening.once('error', reject);
      listening.listen(port, host, resolve);
    });
    const address = listening.address();
    if (typeof address === 'object' && address !== null) port = address.port;
    server = listening;
  };

  const disappear = async (): Promise<void> => {
    const closing = server;
    server = undefined;
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => (closing === undefined ? resolve() : closing.close(() => resolve())));
  };

  await listen();
  return {
    get port() {
      return port;
    },
    get url() {
      return `smtp://${host}:${port}`;
    },
    get count() {
      return count;
    },
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    messages,
    commands,
    setFaults(plan) {
      faults = plan && chooseFaults(plan);
    },
    waitFor(wanted, timeoutMs = 30_000) {
      return new Promise((resolve, reject) => {
        const check = (): void => {
          if (count < wanted) return;
          waiting.delete(check);
          clearTimeout(timer);
          resolve();
        };
        const timer = setTimeout(() => {
          waiting.delete(check);
          reject(new Error(`${count} of ${wanted} messages arrived within ${timeoutMs} ms`));
        }, timeoutMs);
        waiting.add(check);
        check();
      });
    },
    disappear,
    comeBack: listen,
    stop: disappear,
  };
}
