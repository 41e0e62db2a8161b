import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, type TestApp } from '../../../test/harness/app.ts';
import { lookOver } from './import/look-over.ts';

let api: TestApp;
before(async () => {
  api = await createTestApp();
});
after(() => api.close());

interface Imported {
  total: number;
  added: number;
  existing: number;
  duplicates: number;
  invalid: number;
  errors: { line: number; message: string }[];
  message: string;
  param?: string;
}
const post = async (file: string | Buffer, query = '', type = 'text/csv', headers: Record<string, string> = {}) => {
  const answer = await api.request({
    url: `/v1/suppressions/import${query}`,
    body: file,
    headers: { 'content-type': type, ...headers },
  });
  return { status: answer.status, body: answer.body as Imported };
};
const counts = ({ total, added, existing, duplicates, invalid }: Imported) => ({
  total,
  added,
  existing,
  duplicates,
  invalid,
});
const stored = async () => {
  const { rows } = await sql<{
    email: string;
    reason: string;
    note: string | null;
    created: Date;
    expires: Date | null;
  }>`
    select email, reason, note, created_at as created, expires_at as expires from suppressions
     where workspace_id = ${api.workspaceId} order by email`.execute(api.db);
  return rows;
};
const clear = () => sql`delete from suppressions where workspace_id = ${api.workspaceId}`.execute(api.db);

test('200 with what became of each row, whatever the separators, line ends and quotes', async () => {
  const files: Record<string, string> = {
    'one column': 'a@example.com\nb@example.com\n',
    'no line end at the end': 'a@example.com\nb@example.com',
    'a byte-order mark and CRLF': '\ufeffemail\r\na@example.com\r\nb@example.com\r\n',
    'a byte-order mark and no header': '\ufeffa@example.com\r\nb@example.com\r\n',
    'semicolons and CR': 'name;E-Mail\rAda;a@example.com\r"B; b";b@example.com\r',
    tabs: 'Email Address\tName\na@example.com\tAda\nb@example.com\tBob\n',
    'mixed line ends and empty lines': 'email\n\na@example.com\r\n\r\n,,\rb@example.com',
    'quotes and spaces': '"email","note"\n" a@example.com ","say ""hi""\nagain"\n"B@EXAMPLE.com","x,y"\n',
    'rows of other lengths': 'email,reason\na@example.com\nb@example.com,manual,more,and more\n',
  };
  for (const [name, file] of Object.entries(files)) {
    await clear();
    const { status, body } = await post(file);
    assert.equal(status, 200, name);
    assert.deepEqual(counts(body), { total: 2, added: 2, existing: 0, duplicates: 0, invalid: 0 }, name);
    assert.deepEqual(
      (await stored()).map((row) => row.email),
      ['a@example.com', 'b@example.com'],
      name,
    );
  }
});

test('200 with the lines of the rows that are no addresses, and the others stored', async () => {
  await clear();
  const file =
    'email,note\ngood@example.com,\nbad,\n"no address\nof ours",\nGOOD@example.com,\na@b@c,\nlast@example.com,x\n';
  const { status, body } = await post(file);
  assert.equal(status, 200);
  assert.deepEqual(counts(body), { total: 6, added: 2, existing: 0, duplicates: 1, invalid: 3 });
  assert.deepEqual(
    body.errors.map((error) => error.line),
    [3, 4, 7],
  );
  const many = await post(`email\n${'bad\n'.repeat(150)}`);
  assert.deepEqual([many.body.invalid, many.body.errors.length], [150, 100]);
});

test('a stronger reason replaces a weaker one and never the reverse; what is imported again changes nothing', async () => {
  await clear();
  await post('email,reason\nweak@example.com,soft_bounce\nstrong@example.com,complaint\n');
  const file =
    'EmailAddress,SuppressionReason\nweak@example.com,HardBounce\nstrong@example.com,ManualSuppression\nnew@example.com,because\n';
  assert.deepEqual(counts((await post(file)).body), { total: 3, added: 1, existing: 2, duplicates: 0, invalid: 0 });
  const once = await stored();
  assert.deepEqual(
    once.map(({ email, reason, note }) => [email, reason, note]),
    [
      ['new@example.com', 'manual', 'because'],
      ['strong@example.com', 'complaint', null],
      ['weak@example.com', 'hard_bounce', null],
    ],
  );
  assert.deepEqual(counts((await post(file)).body), { total: 3, added: 0, existing: 3, duplicates: 0, invalid: 0 });
  assert.deepEqual(await stored(), once);
  await post('plain@example.com\n', '?reason=hard_bounce');
  assert.equal((await stored()).find((row) => row.email === 'plain@example.com')?.reason, 'hard_bounce');
});

test('of a list of contacts, or of emails, only those who may not be mailed are suppressed', async () => {
  const files: Record<string, [file: string, expected: [email: string, reason: string][]]> = {
    contacts: [
      'id,email,first_name,unsubscribed\n1,gone@example.com,A,true\n2,here@example.com,B,false\n',
      [['gone@example.com', 'unsubscribe']],
    ],
    emails: [
      'id,to,last_event\n1,back@example.com,bounced\n2,fine@example.com,delivered\n3,spam@example.com,complained\n',
      [
        ['back@example.com', 'hard_bounce'],
        ['spam@example.com', 'complaint'],
      ],
    ],
    'an audience': [
      'Email Address,UNSUB_TIME,NOTES\nleft@example.com,2021-05-05 10:00:00,\n',
      [['left@example.com', 'unsubscribe']],
    ],
    'a status, and a reason that is stronger': [
      'email,reason,status\na@example.com,bounce,active\nb@example.com,,active\n',
      [['a@example.com', 'hard_bounce']],
    ],
    'no header': [
      'a@example.com,BOUNCE\nb@example.com,COMPLAINT\n',
      [
        ['a@example.com', 'hard_bounce'],
        ['b@example.com', 'complaint'],
      ],
    ],
  };
  for (const [name, [file, expected]] of Object.entries(files)) {
    await clear();
    const { status, body } = await post(file);
    assert.equal(status, 200, name);
    assert.deepEqual(
      (await stored()).map(({ email, reason }) => [email, reason]),
      expected,
      name,
    );
    assert.equal(body.invalid, body.total - expected.length, name);
    for (const error of body.errors) assert.match(error.message, /may be mailed/, name);
  }
});

test('a dry run says the same and stores nothing', async () => {
  await clear();
  await post('old@example.com\n');
  const file = 'old@example.com\nnew@example.com\nNEW@example.com\nbad\n';
  const dry = await post(file, '?dry_run=true');
  assert.deepEqual(counts(dry.body), { total: 4, added: 1, existing: 1, duplicates: 1, invalid: 1 });
  assert.equal((await stored()).length, 1);
  assert.deepEqual(counts((await post(file)).body), counts(dry.body));
});

test('409 for the key of a dry run on the import itself: the options in a query count for Idempotency-Key', async () => {
  await clear();
  const ask = (query: string) => post('new@example.com\n', query, 'text/csv', { 'idempotency-key': 'a-dry-run' });
  assert.equal((await ask('?reason=manual&dry_run=true')).body.added, 1);
  const { status, body } = await ask('?reason=manual');
  assert.deepEqual([status, body.param], [409, 'Idempotency-Key']);
  assert.deepEqual(await stored(), []);
});

test('400 for what is no CSV of addresses, and nothing is stored', async () => {
  await clear();
  const start = 'email\na@example.com\n';
  const files: Record<string, [string | Buffer, RegExp]> = {
    empty: ['', /empty/],
    'only a mark': ['\ufeff', /empty/],
    'no address anywhere': ['name,city\nAda,Paris\n', /column of addresses/],
    'UTF-16 LE': [Buffer.from(`\ufeff${start}`, 'utf16le'), /UTF-16/],
    'UTF-16 BE': [Buffer.from(`\ufeff${start}`, 'utf16le').swap16(), /UTF-16/],
    'a NUL': [`${start}b\u0000@example.com\n`, /NUL byte at 21/],
    'Latin-1': [Buffer.from(`${start}b@m\xfcnchen.de\n`, 'latin1'), /UTF-8/],
    'a quote that is never closed': [`${start}"b@example.com\nc@example.com\n`, /Line \d+: .*never closed/],
    'a quote that is never closed, in a long file': [
      `${start}"b@example.com\n${'c@example.com\n'.repeat(20_000)}`,
      /Line \d+: .*never closed/,
    ],
    'a million columns': [`${start}${','.repeat(1_000_000)}\n`, /Line 3/],
    'one endless line': ['x@'.repeat(1_000_000), /Line 1/],
    binary: [Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 9]), /NUL/],
  };
  for (const [name, [file, message]] of Object.entries(files)) {
    const { status, body } = await post(file);
    assert.equal(status, 400, name);
    assert.match(body.message, message, name);
    assert.deepEqual(await stored(), [], name);
  }
});

test('others are served while a file of 20 MB is looked at, and while it is read', async () => {
  const rows = (count: number): string => {
    return Array.from({ length: count }, (_, n) => `somebody-${n}@example.com\n`).join('');
  };
  // The longest piece between two turns of the event loop, in time of this thread, since on a busy machine it is not
  // our work that others wait for; the best of three, since a garbage collection is not either.
  const longestPiece = async (work: () => Promise<unknown>): Promise<number> => {
    let [longest, isOver, last] = [0, false, process.threadCpuUsage()];
    const look = (): void => {
      const { user, system } = process.threadCpuUsage(last);
      longest = Math.max(longest, (user + system) / 1_000);
      last = process.threadCpuUsage();
      if (!isOver) setImmediate(look);
    };
    setImmediate(look);
    await work();
    isOver = true;
    look();
    return longest;
  };
  const best = async (work: () => Promise<unknown>): Promise<number> =>
    Math.min(await longestPiece(work), await longestPiece(work), await longestPiece(work));
  // About 10 ms each; without a break they are 65 and 105.
  const whole = Buffer.from(rows(750_000));
  const looking = await best(() => lookOver(whole));
  assert.ok(looking < 50, `looked at without a break for ${looking} ms`);
  const file = `"email"\n${rows(60_000)}`;
  const reading = await best(async () => {
    const { body } = await post(file, '?dry_run=true');
    assert.deepEqual(counts(body), { total: 60_000, added: 60_000, existing: 0, duplicates: 0, invalid: 0 });
  });
  assert.ok(reading < 50, `read without a break for ${reading} ms`);
});

test('503 with Retry-After for a third import at a time, and nothing of it is stored', async () => {
  await clear();
  const bad = 'email\n"never closed\n';
  for (let n = 0; n < 3; n += 1) assert.equal((await post(bad)).status, 400); // a failure keeps no place
  const files = ['one', 'two', 'three'].map((name) =>
    Array.from({ length: 3_000 }, (_, n) => `${name}-${n}@example.com`).join('\n'),
  );
  const answers = await Promise.all(
    files.map((body) => api.request({ url: '/v1/suppressions/import', body, headers: { 'content-type': 'text/csv' } })),
  );
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 200, 503]);
  const refused = answers.findIndex((answer) => answer.status === 503);
  assert.equal(answers[refused]?.headers['retry-after'], '15');
  const names = new Set((await stored()).map((row) => row.email.split('-')[0]));
  assert.equal(names.has(['one', 'two', 'three'][refused] ?? ''), false);
  assert.equal((await post(files[refused] ?? '')).status, 200);
});

test('413 beyond 20 MB, 415 for another type', async () => {
  assert.equal((await post(Buffer.alloc(20 * 1_048_576 + 1, 'a'))).status, 413);
  assert.equal((await post('a@example.com', '', 'text/plain')).status, 415);
  assert.equal((await post('{}', '', 'application/json')).status, 415);
});

test('an export imported into an empty list gives the same list, formulas and all', async () => {
  await clear();
  const odd = [
    '=cmd@example.com',
    '+a@example.com',
    '-b@example.com',
    "'+c@example.com",
    "''=d@example.com",
    "o'e@example.com",
  ];
  const notes = ['=1+1', '@sum', "'-x", 'say "hi", please\nagain', '', 'plain; text'];
  for (const [index, email] of odd.entries()) {
    await api.request({
      url: '/v1/suppressions',
      body: { email, note: notes[index], ...(index === 2 && { expires_at: '2999-01-01T00:00:00Z' }) },
    });
  }
  await sql`update suppressions set created_at = '2020-02-02T02:02:02.123Z', reason = 'complaint'
    where workspace_id = ${api.workspaceId} and email = '+a@example.com'`.execute(api.db);
  await sql`update suppressions set created_at = date_trunc('milliseconds', created_at)
    where workspace_id = ${api.workspaceId}`.execute(api.db);
  const before = (await stored()).map((row) => ({ ...row, note: row.note === '' ? null : row.note }));
  const file = await api.request({ url: '/v1/suppressions/export' });
  assert.equal(file.headers['content-type'], 'text/csv; charset=utf-8');
  assert.match(String(file.headers['content-disposition']), /attachment/);
  for (const cell of file.text.split(/[,\n]/)) assert.doesNotMatch(cell, /^[=+\-@]/, cell);
  await clear();
  const { body } = await post(file.text);
  assert.deepEqual(counts(body), { total: 6, added: 6, existing: 0, duplicates: 0, invalid: 0 });
  assert.deepEqual(await stored(), before);
});

test('an export of many pages has every address once', async () => {
  await clear();
  const emails = Array.from({ length: 2_500 }, (_, n) => `page-${n}@example.com`);
  await post(emails.join('\n'));
  const { text } = await api.request({ url: '/v1/suppressions/export' });
  const exported = text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',')[0] ?? '');
  assert.equal(exported.length, 2_500);
  assert.deepEqual(exported.sort(), emails.sort());
  const some = await api.request({ url: '/v1/suppressions/export?search=page-249&reason=manual' });
  assert.equal(some.text.trim().split('\n').length, 1 + 11);
  assert.equal(
    (await api.request({ url: '/v1/suppressions/export?reason=complaint' })).text.trim().split('\n').length,
    1,
  );
});
