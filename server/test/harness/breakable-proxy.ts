/** A TCP proxy in front of the test database that a test can break: refuse, cut, or swallow everything. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import pg from 'pg';

export interface BreakableProxy {
  /** The database's URL through the proxy. */
  url: string;
  /** Cuts what is connected and refuses what comes, as a server that is down. */
  breakDown(): Promise<void>;
  /** Listens again on the same port. */
  mend(): Promise<void>;
  /** Takes what is sent and passes nothing on, as a network that drops packets. */
  swallow(on: boolean): void;
  /** Takes what is sent and passes it on later, as a server that is busy. */
  hold(on: boolean): void;
  close(): Promise<void>;
}

export async function startBreakableProxy(databaseUrl: string): Promise<BreakableProxy> {
  const target = new pg.Client({ connectionString: databaseUrl });
  const sockets = new Set<Socket>();
  let swallowing = false;
  let free: PromiseWithResolvers<void> | undefined;

  const listen = async (port: number) => {
    const server = createServer((inside) => {
      const outside = target.host.startsWith('/')
        ? connect(`${target.host}/.s.PGSQL.${target.port}`)
        : connect({ port: target.port, host: target.host });
      for (const [from, to] of [
        [inside, outside],
        [outside, inside],
      ] as const) {
        sockets.add(from);
        from.on('data', (part: Buffer) => {
          if (swallowing) return;
          if (free === undefined) to.write(part);
          else void free.promise.then(() => to.write(part)); // in the order in which they came
        });
        from.on('error', () => undefined);
        from.on('close', () => {
          sockets.delete(from);
          to.destroy();
        });
      }
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };

  let server = await listen(0);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const login = `${encodeURIComponent(target.user ?? '')}:${encodeURIComponent(target.password ?? '')}`;

  const breakDown = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: `postgresql://${login}@127.0.0.1:${port}/${target.database}`,
    breakDown,
    async mend() {
      server = await listen(port);
    },
    swallow(on) {
      swallowing = on;
    },
    hold(on) {
      free?.resolve();
      free = on ? Promise.withResolvers() : undefined;
    },
    async close() {
      if (server.listening) await breakDown();
    },
  };
}
