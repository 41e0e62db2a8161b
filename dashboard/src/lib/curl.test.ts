import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

interface Named {
  file: string;
  method: string;
  path: string;
  isPersons: boolean;
}

/** The calls that the parts of the pages name: each is an object with a method and a path. */
function namedCalls(): Named[] {
  const source = join(import.meta.dirname, '..');
  return globSync('{pages,ui}/**/*.tsx', { cwd: source }).flatMap((file) => {
    const text = readFileSync(join(source, file), 'utf8');
    return [...text.matchAll(/\{\s*method: '([A-Z]+)',\s*path: /g)].map(({ 0: start, 1: method = '', index }) => {
      const call = text.slice(index, endOfObject(text, index));
      const literal = /^(?:withQuery\(\s*)?(['`])(\/.*?)\1/.exec(call.slice(start.length));
      const path = (literal?.[2] ?? '').replaceAll(/\$\{.*?\}/g, '{}');
      return { file, method, path, isPersons: /as: 'person'/.test(call) };
    });
  });
}

function endOfObject(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    depth += { '{': 1, '}': -1 }[text[at] ?? ''] ?? 0;
    if (depth === 0) return at;
  }
  return text.length;
}

test('each page names a call of the API, and asks for a token exactly where the server takes no API key', () => {
  const file = join(import.meta.dirname, '../../../server/openapi.json');
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, { security?: Record<string, unknown>[] }>>; // as OpenAPI 3.1 says
  };
  const securityOf = ({ method, path }: Named) =>
    Object.entries(paths).find(([one]) => one.replaceAll(/\{.*?\}/g, '{}') === path)?.[1][method.toLowerCase()]
      ?.security;
  const calls = namedCalls();
  assert.ok(calls.length > 80, `only ${calls.length} calls are found`);
  const given = calls.filter(({ path }) => path === '').map((call) => call.file);
  // They are given a path under /v1/, by pages of newsletters, lists, issues and broadcasts.
  assert.deepEqual(given.sort(), ['pages/imports/ImportWizard.tsx', 'ui/results/MailingCourse.tsx']);
  const faults = calls
    .filter((call) => call.path !== '')
    .filter((call) => call.isPersons !== securityOf(call)?.every((one) => !('apiKey' in one)));
  assert.deepEqual(faults, []);
});
