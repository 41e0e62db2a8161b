import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkCustomHeaders } from './custom-headers.ts';

const problemsOf = (name: string, value: string) => checkCustomHeaders({ [name]: value });

test('accepts ordinary headers, up to the edge of each limit', () => {
  assert.deepEqual(
    checkCustomHeaders({
      'X-Entity-Ref-ID': '42',
      'In-Reply-To': '<a@x.test>',
      References: '<a@x.test>  <b@x.test>',
      Importance: 'high',
      'X-Greeting': 'Grüße 👋',
      ['X'.repeat(126)]: 'v'.repeat(870),
      ['__proto__']: 'x',
    }),
    [],
  );
});

test('refuses every header the service writes itself, in any case', () => {
  // biome-ignore format: a list of words
  const reserved = [
    'from', 'sender', 'to', 'cc', 'bcc', 'reply-to', 'subject', 'date', 'message-id', 'mime-version', 'content-type',
    'content-transfer-encoding', 'content-anything', 'return-path', 'received', 'dkim-signature', 'list-unsubscribe',
    'list-unsubscribe-post', 'list-id', 'precedence', 'auto-submitted', 'x-ses-configuration-set', 'x-posthorn-id',
    'x-service-id', 'resent-bcc', 'arc-seal',
  ];
  for (const name of reserved) {
    for (const typed of [name, name.toUpperCase()]) {
      assert.deepEqual(
        problemsOf(typed, 'x').map(({ header, malformed }) => ({ header, malformed })),
        [{ header: typed, malformed: false }],
      );
    }
  }
});

test('a line break or NUL is malformed, in a name as in a value', () => {
  for (const char of ['\r\n', '\n', '\r', '\0']) {
    assert.equal(problemsOf('X-A', `a${char}Bcc: v@y.test`)[0]?.malformed, true);
    assert.equal(problemsOf(`X${char}Y`, 'a')[0]?.malformed, true);
  }
  assert.equal(problemsOf('X-A', '\ud800')[0]?.malformed, true);
});

test('refuses names and values no header can carry', () => {
  for (const name of ['', 'X Y', 'X:Y', ' X', 'X-é', 'X'.repeat(127), 'X\tY', 'X(Y)']) {
    assert.equal(problemsOf(name, 'v')[0]?.malformed, false, JSON.stringify(name));
  }
  for (const value of ['', '   ', 'v'.repeat(871), 'é'.repeat(600), 'a\tb', 'a\u0007', 'a\u0085', 'a\u2028b']) {
    assert.equal(problemsOf('X-A', value)[0]?.malformed, false, JSON.stringify(value));
  }
  for (const value of ['a@x.test', '<a>', '<a@x.test> text', '=?utf-8?q?<a@x.test>?=']) {
    assert.equal(problemsOf('References', value).length, 1, value);
  }
});

test('refuses one name twice and more than 50 headers', () => {
  assert.deepEqual(
    checkCustomHeaders({ 'x-A': '1', 'X-a': '2' }).map((problem) => problem.header),
    ['X-a'],
  );
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`X-${i}`, 'v']));
  assert.equal(checkCustomHeaders(many(50)).length, 0);
  assert.deepEqual(
    checkCustomHeaders(many(1000)).map((problem) => problem.header),
    [''],
  );
});
