/**
 * A transaction pooler as PgBouncer is one, small enough to read: a client keeps a server connection for one
 * transaction (or one statement outside a transaction) and nothing is reset in between, so what a session sets is
 * left to others.
 */
import { once } from 'node:events';
import net from 'node:net';
import pg from 'pg';

export interface TransactionPooler {
  url: string;
  close(): Promise<void>;
}

interface ServerConnection {
  socket: net.Socket;
  end(): Promise<void>;
}

const SSL_REQUEST = 80_877_103;

export async function startTransactionPooler(databaseUrl: string, size = 2): Promise<TransactionPooler> {
  const all = await Promise.all(Array.from({ length: size }, () => openServerConnection(databaseUrl)));
  const free = [...all];
  const waiting: ((server: ServerConnection) => void)[] = [];
  const take = async (): Promise<ServerConnection> =>
    free.shift() ?? new Promise<ServerConnection>((resolve) => waiting.push(resolve));
  const giveBack = (server: ServerConnection): void => {
    const next = waiting.shift();
    if (next === undefined) free.push(server);
    else next(server);
  };

  const listener = net.createServer((socket) => {
    socket.on('error', () => undefined);
    serve(socket, take, giveBack);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const database = new URL(databaseUrl.replace(/^postgres(ql)?:\/\/[^/]*/, 'http://x')).pathname;
  return {
    url: `postgres://pooled@127.0.0.1:${port}${database}`,
    async close() {
      listener.close();
      await Promise.all(all.map((server) => server.end()));
    },
  };
}

/** Signs in with the driver, then uses its socket alone. */
async function openServerConnection(url: string): Promise<ServerConnection> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // Not in the types of the driver: the wire below it.
  const { connection } = client as unknown as { connection: { stream: net.Socket } };
  connection.stream.removeAllListeners('data');
  return {
    socket: connection.stream,
    async end() {
      const closed = once(connection.stream, 'close');
      client.on('error', () => undefined);
      connection.stream.destroy();
      await closed;
    },
  };
}

function serve(
  socket: net.Socket,
  take: () => Promise<ServerConnection>,
  giveBack: (server: ServerConnection) => void,
): void {
  let isSignedIn = false;
  let server: Promise<ServerConnection> | undefined;
  const fromServer = (one: ServerConnection, bytes: Buffer): void => {
    socket.write(bytes);
    // ReadyForQuery outside a transaction is the last thing the server says: Z, length 5, I.
    if (bytes.subarray(-6).equals(Buffer.from('Z\x00\x00\x00\x05I', 'latin1'))) {
      one.socket.removeAllListeners('data');
      server = undefined;
      giveBack(one);
    }
  };
  const begin = async (): Promise<ServerConnection> => {
    const one = await take();
    one.socket.on('data', (bytes: Buffer) => fromServer(one, bytes));
    return one;
  };
  socket.on('data', (bytes: Buffer) => {
    if (!isSignedIn) {
      if (bytes.readInt32BE(4) === SSL_REQUEST) return void socket.write('N');
      isSignedIn = true;
      socket.write(welcome());
    } else if (bytes.toString('latin1', 0, 1) === 'X') socket.end();
    else {
      server ??= begin();
      void server.then((one) => one.socket.write(bytes));
    }
  });
}

/** AuthenticationOk, BackendKeyData with numbers of our own (as PgBouncer invents them), ReadyForQuery. */
const welcome = (): Buffer =>
  Buffer.from('R\0\0\0\x08\0\0\0\0K\0\0\0\x0c\x7f\xff\xff\xff\0\0\0\x01Z\0\0\0\x05I', 'latin1');
