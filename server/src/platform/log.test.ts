import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMsOf } from '../../test/harness/cpu-time.ts';
import { createLog } from './log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): { line: string; fields: Record<string, unknown> } {
  let line = '';
  write(createLog({ level: 'debug', destination: { write: (text) => void (line += text) } }));
  return { line, fields: JSON.parse(line) };
}

test('an address in a field or in an error shows its first letter and its domain', () => {
  const replies = {
    '550 5.1.1 <ada.lovelace@example.com>: user unknown': '550 5.1.1 <a***@example.com>: user unknown',
    'to=ada+x@example.com,bob@example.com': 'to=a***@example.com,b***@example.com',
    '250 ok, @example.com': '250 ok, @example.com',
    'connect to smtp://user:hunter2@mail.example.com': 'connect to smtp://user:h***@mail.example.com',
  };
  for (const [given, shown] of Object.entries(replies)) {
    assert.equal(logged((log) => log.warn({ response: given }, 'refused')).fields['response'], shown);
    const { fields, line } = logged((log) => log.error({ err: new Error(given) }, 'failed'));
    assert.equal((fields['err'] as { message: string }).message, shown); // the serializer keeps the message a text
    assert.doesNotMatch(line, /lovelace|ada\+x|bob@|hunter2/);
  }
});

test('an error of PostgreSQL is logged without the values of its row', () => {
  const error = Object.assign(new Error('violates a check'), {
    code: '23514',
    constraint: 'contents_check',
    detail: 'Failing row contains (Dear Ada, your password is hunter2).',
    where: 'SQL function with (hunter2)',
    internalQuery: "insert into contents values ('hunter2')",
  });
  const { fields, line } = logged((log) => log.error({ err: error }, 'request failed'));
  assert.doesNotMatch(line, /hunter2|Dear Ada/);
  assert.partialDeepStrictEqual(fields['err'], { code: '23514', constraint: 'contents_check', type: 'Error' });
});

test('an error is logged without the objects that a library hangs on it', () => {
  const connection = { host: 'db.example.com', url: 'postgres://hunter2', sent: ['hunter2'] };
  const inner = Object.assign(new Error('no route'), { code: 'EHOSTUNREACH', detail: 'hunter2' });
  const error = Object.assign(new AggregateError([inner], 'not connected'), {
    code: 'ECONNREFUSED',
    port: 5432,
    client: connection,
    earlier: inner,
    toJSON: () => connection,
  });
  const { fields, line } = logged((log) => log.error({ err: error }, 'request failed'));
  assert.doesNotMatch(line, /hunter2|example/);
  const { stack, ...shown } = fields['err'] as { stack: string };
  assert.match(stack, /log\.test\.ts/);
  assert.deepEqual(shown, {
    type: 'AggregateError',
    message: 'not connected',
    code: 'ECONNREFUSED',
    port: 5432,
    errors: ['Error: no route'],
  });
  const thrown = logged((log) => log.error({ err: { client: connection } }, 'request failed'));
  assert.doesNotMatch(thrown.line, /hunter2/);
});

test('a long text with many at signs is looked through in no time', () => {
  const response = 'a'.repeat(100_000) + '@'.repeat(1_000);
  const took = cpuMsOf(() => logged((log) => log.warn({ response }, 'refused')));
  assert.ok(took < 1_000, `${took} ms`);
});

test('fields with the names of secrets are hidden', () => {
  const { line } = logged((log) =>
    log.info({ token: 'hunter2', request: { password: 'hunter2', key: 'hunter2' } }, 'x'),
  );
  assert.doesNotMatch(line, /hunter2/);
});
