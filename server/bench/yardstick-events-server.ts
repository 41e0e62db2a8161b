// The yardstick of the events bench, as a process of its own: a bare Fastify route that verifies the same signature
// over the same text and stores the message with one committed INSERT. Nothing is read or applied: the least that
// must be done before a notification may be answered.
import { createPublicKey, verify, X509Certificate } from 'node:crypto';
import { fastify } from 'fastify';
import pg from 'pg';

const key = createPublicKey(
  new X509Certificate(process.env['CERTIFICATE'] ?? '').publicKey.export({ type: 'spki', format: 'pem' }),
);
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
await pool.query(
  'create table if not exists bench_events (id text primary key, body bytea not null, at timestamptz not null default now())',
);
const app = fastify({ logger: false, bodyLimit: 600_000 });
app.addContentTypeParser('text/plain', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
app.post('/events', async (request, reply) => {
  const body = request.body as Buffer; // the parser above gives nothing else
  const message = JSON.parse(body.toString('utf8'));
  const names = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'];
  const text = names.flatMap((name) => (message[name] === undefined ? [] : [`${name}\n${message[name]}\n`])).join('');
  if (!verify('sha256', Buffer.from(text), key, Buffer.from(message.Signature, 'base64')))
    return reply.code(403).send();
  await pool.query('insert into bench_events (id, body) values ($1, $2) on conflict do nothing', [
    message.MessageId,
    body,
  ]);
  return { success: true };
});
await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
console.log('ready');
