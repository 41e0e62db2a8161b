import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { asCurl, shellQuote, withQuery } from './curl.ts';

test('a shell reads back exactly what was quoted', () => {
  const hard = [`it's`, '$HOME `id` $(id)', 'a"b\\c', 'line\nbreak', '!!', "'", ''];
  const command = `printf '%s\\0' ${hard.map(shellQuote).join(' ')}`;
  assert.deepEqual(execFileSync('sh', ['-c', command], { encoding: 'utf8' }).split('\0').slice(0, -1), hard);
});

test('a call is a command that reads the key from the environment', () => {
  const call = { method: 'POST', path: '/v1/suppressions', body: { email: "o'hara@example.com" } } as const;
  assert.equal(
    asCurl(call, 'https://mail.example.com'),
    `curl -X POST 'https://mail.example.com/v1/suppressions' \\
  -H "Authorization: Bearer $POSTHORN_API_KEY" \\
  -H 'Content-Type: application/json' \\
  --data-raw '{
  "email": "o'\\''hara@example.com"
}'`,
  );
});

test('parameters without a value are left out of a path', () => {
  assert.equal(withQuery('/v1/emails', { status: undefined, search: 'a b&c' }), '/v1/emails?search=a+b%26c');
  assert.equal(withQuery('/v1/emails', {}), '/v1/emails');
});

test('a call that takes no API key reads the token of a person', () => {
  const command = asCurl({ method: 'GET', path: '/auth/me', as: 'person' }, 'https://mail.example.com');
  assert.match(command, /Bearer \$POSTHORN_TOKEN"/);
  assert.doesNotMatch(command, /API_KEY/);
});
