// The yardsticks of the relay bench, each as a process of its own: smtp-server that takes every message and answers
// 250. No accounts, no look at the message, no disk: the library at its best. With DATABASE_URL it stores each message
// with one committed INSERT first: the library and the disk at their best.
import pg from 'pg';
import { SMTPServer } from 'smtp-server';

const url = process.env['DATABASE_URL'];
const pool = url === undefined ? undefined : new pg.Pool({ connectionString: url, max: 10 });
await pool?.query('create table if not exists bench_messages (id uuid primary key, mime bytea not null)');

async function keepAndAnswer(mime: Buffer, answer: (error: Error | null, text?: string) => void): Promise<void> {
  try {
    await pool?.query('insert into bench_messages (id, mime) values ($1, $2)', [crypto.randomUUID(), mime]);
  } catch {
    answer(new Error('not kept'));
    return;
  }
  answer(null, `Taken, ${mime.length} bytes`);
}

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  disableReverseLookup: true,
  logger: false,
  onAuth: (_auth, _session, callback) => callback(null, { user: true }),
  allowInsecureAuth: true,
  onData(stream, _session, callback) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => void keepAndAnswer(Buffer.concat(chunks), callback));
  },
});
server.on('error', () => undefined);
server.listen(Number(process.env['PORT']), '127.0.0.1', () => console.log('ready'));
