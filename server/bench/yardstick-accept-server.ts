// The yardstick of the accept bench, as a process of its own: a bare Fastify route that validates a body of the same
// size and stores it with one committed INSERT. No accounts, no limits, no queue: what the machine can do at best.
import { fastify } from 'fastify';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
await pool.query(
  'create table if not exists bench_sends (id uuid primary key, body jsonb not null, at timestamptz not null default now())',
);
const app = fastify({ logger: false });
const schema = {
  body: {
    type: 'object',
    required: ['from', 'to', 'subject', 'html'],
    properties: {
      from: { type: 'string' },
      to: { type: 'array', items: { type: 'string' }, maxItems: 1_000 },
      subject: { type: 'string', maxLength: 998 },
      html: { type: 'string', maxLength: 2_000_000 },
    },
  },
};
app.post('/send', { schema }, async (request, reply) => {
  const id = crypto.randomUUID();
  await pool.query('insert into bench_sends (id, body) values ($1, $2)', [id, JSON.stringify(request.body)]);
  return reply.code(202).send({ success: true, id });
});
await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
console.log('ready');
