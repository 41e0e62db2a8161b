import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mentionsIn } from './mentions.ts';
import { redactedBody, redactedQuery } from './redact.ts';

const kept = (body: unknown): unknown => JSON.parse(redactedBody(body) ?? 'null');

test('secrets are hidden by their names and by their form, wherever they stand', () => {
  const key = 'ph_live_0123456789abcdefghij';
  assert.deepEqual(
    kept({
      key,
      newPassword: 'correct horse',
      'api-key': 1234,
      nested: [{ client_secret: { a: 'b' } }],
      note: `use ${key} or whsec_6o0s1M2fQyqDq0sE7c6Kq3w1vT9rXb4uYH5zAeJdLkM=`,
      url: 'https://example.com/x?page=1&token=abc.def',
    }),
    {
      key: '[hidden]',
      newPassword: '[hidden]',
      'api-key': '[hidden]',
      nested: [{ client_secret: '[hidden]' }],
      note: 'use [hidden] or [hidden]',
      url: 'https://example.com/x?page=1&token=[hidden]',
    },
  );
  assert.equal(redactedQuery('limit=5&token=abc&t=def'), 'limit=5&token=[hidden]&t=[hidden]');
});

test('texts, files and values for one person are counted and not kept', () => {
  assert.deepEqual(
    kept({
      html: '<p>Reset at https://example.com/r/1</p>',
      variables: { reset: 'https://example.com/r/1' },
      attachments: [{ filename: 'a.pdf', content: 'AAEC' }],
      subject: 'Hello',
    }),
    {
      html: '[39 characters]',
      variables: '[1 values]',
      attachments: [{ filename: 'a.pdf', content: '[4 characters]' }],
      subject: 'Hello',
    },
  );
  assert.equal(kept(Buffer.alloc(2_000)), '[2000 bytes]');
});

test('a body of any size and depth is kept as valid JSON of about 8 KB', () => {
  let deep: unknown = 'end';
  for (let n = 0; n < 5_000; n += 1) deep = { deep };
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`name ${n}`.repeat(50), 'x'.repeat(5_000)]));
  const many = Array.from({ length: 100_000 }, (_, n) => ({ to: `${n}@example.com` }));
  for (const body of [deep, wide, many, { deep, wide, many }, [many, many, many]]) {
    const text = redactedBody(body) ?? '';
    assert.ok(text.length < 10_000, `${text.length}`);
    JSON.parse(text);
  }
  assert.equal(redactedBody(undefined), null);
  assert.deepEqual(kept(JSON.parse('{"__proto__":{"a":1}}')), JSON.parse('{"__proto__":{"a":1}}'));
});

test('an address in a long text is kept whole or not at all', () => {
  const address = 'canary-4711@example.com';
  for (let before = 470; before < 500; before += 1) {
    const text = redactedBody({ note: `${'x '.repeat(before / 2)}${address} ${'y'.repeat(600)}` }) ?? '';
    assert.ok(text.includes(address) || !text.includes('canary'), text);
  }
});

test('addresses and ids are found in the form in which they are looked for', () => {
  const id = '0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11';
  assert.deepEqual(
    mentionsIn([`{"to":"Ada <Ada@EXAMPLE.com>","id":"${id}"}`, `/v1/x/${id}/bob@bücher.example`, null]),
    [id, 'ada@example.com', 'bob@xn--bcher-kva.example'],
  );
});
