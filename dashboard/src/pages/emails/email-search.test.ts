import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSearch } from './email-search.ts';

const ID = '0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11';

test('an id, and a Message-ID of ours, name one email', () => {
  for (const text of [ID, ` ${ID.toUpperCase()} `, `<${ID}@posthorn.test>`, `${ID}@posthorn.test`])
    assert.deepEqual(readSearch(text), { kind: 'id', id: ID }, text);
});

test('a Message-ID of the provider is looked for as such', () => {
  const typed = '<010001933f2f6f0c-9b1f6c1e-000000@eu-west-1.amazonses.com>';
  assert.deepEqual(readSearch(typed), { kind: 'filter', filter: { provider_message_id: typed } });
});

test('an address and a domain look for recipients, with a name or without', () => {
  for (const text of ['ada@example.com', 'Ada Lovelace <ada@example.com>'])
    assert.deepEqual(readSearch(text), { kind: 'filter', filter: { to: 'ada@example.com' } });
  assert.deepEqual(readSearch('@example.com'), { kind: 'filter', filter: { to: '@example.com' } });
});

test('everything else is a part of a subject', () => {
  for (const text of ['Your receipt', '50% off @ Acme', 'a@b c'])
    assert.deepEqual(readSearch(text), { kind: 'filter', filter: { subject: text } });
  assert.deepEqual(readSearch('  '), { kind: 'none' });
});
