// Migrations run while other processes serve: what they do to a table must not make an accept wait. Real time,
// because a wait is what is measured: emails are accepted at a steady rate, and the longest answer is held against a
// bound.
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { systemClock } from '#platform/clock.ts';
import { migrate } from '#platform/db/migrations/migrate.ts';
import { createLog } from '#platform/log.ts';
import { createEmailsApp, type EmailsApp } from '../harness/emails-app.ts';

const MIGRATIONS = path.join(import.meta.dirname, '../../migrations');
/** Each accept is one of this many milliseconds: 40 a second. */
const EVERY_MS = 25;
/** The locks that the migrations below hold or take: far longer than an accept may. */
const HELD_MS = 7_000;
/** A busy machine may take this long for an accept without any migration. */
const SLACK_MS = 1_500;
const LOCK_TIMEOUT_MS = 2_000;

let emails: EmailsApp;
let token: string;
let folder: string;

before(async () => {
  emails = await createEmailsApp();
  token = await emails.caller({});
  folder = await mkdtemp(path.join(tmpdir(), 'posthorn-migrations-'));
  await cp(MIGRATIONS, folder, { recursive: true });
});
after(async () => {
  await emails.close();
  await rm(folder, { recursive: true });
});

const write = (name: string, text: string) => writeFile(path.join(folder, name), text);

/** Answers with how many milliseconds it took. */
async function accept(number: number): Promise<number> {
  const begun = performance.now();
  const { status } = await emails.call({
    method: 'POST',
    url: '/v1/send',
    token,
    body: { from: 'a@posthorn.test', to: `reader-${number}@example.com`, subject: 'Hello', text: 'Hello' },
  });
  assert.equal(status, 202);
  return performance.now() - begun;
}

/** Accepts emails at the steady rate for as long as `work` takes; `onBegin` gets the number of each. */
async function acceptDuring(work: Promise<unknown>, onBegin?: (number: number) => void): Promise<number[]> {
  const open: Promise<number>[] = [];
  const ticks = setInterval(() => {
    onBegin?.(open.length);
    open.push(accept(open.length));
  }, EVERY_MS);
  try {
    await work;
  } finally {
    clearInterval(ticks);
  }
  return Promise.all(open);
}

test('an index that takes 7 s to build keeps no accept waiting', async (t) => {
  await accept(0);
  await sql`
    create function test_slow(id uuid) returns uuid language plpgsql immutable as $$
    begin perform pg_sleep(0.005); return id; end $$`.execute(emails.t.db);
  await write('9001_index.sql', '-- concurrently\ncreate index concurrently test_index on emails (test_slow(id));');
  await copyOneEmail(HELD_MS / 5);
  const begun = performance.now();
  const took = await acceptDuring(
    migrate({ url: emails.t.url, log: createLog({ level: 'silent' }), clock: systemClock, folder }),
  );
  const migratedMs = performance.now() - begun;
  const longest = Math.max(...took);
  t.diagnostic(`${took.length} accepts in ${Math.round(migratedMs)} ms, the longest ${Math.round(longest)} ms`);
  assert.ok(migratedMs >= HELD_MS, `the index was built in ${migratedMs} ms; a wait for it would not be seen`);
  assert.ok(longest < SLACK_MS, `an accept took ${longest} ms`);
});

test('a column that has to wait for a transaction of 7 s holds accepts up for its time-out, and not for all of it', async (t) => {
  const holder = new pg.Client({ connectionString: emails.t.url });
  await holder.connect();
  await holder.query('begin; lock table emails in access share mode');
  await write('9002_column.sql', 'alter table emails add column test_column int;');
  let retries = 0;
  const log = createLog({
    level: 'warn',
    destination: { write: (line) => void (retries += line.includes('is tried again') ? 1 : 0) },
  });
  let released: Promise<unknown> = Promise.resolve();
  const took = await acceptDuring(migrate({ url: emails.t.url, log, clock: systemClock, folder }), (number) => {
    if (number === HELD_MS / EVERY_MS) released = holder.query('commit');
  });
  await released;
  await holder.end();
  const longest = Math.max(...took);
  t.diagnostic(`${took.length} accepts, ${retries} retries, the longest accept ${Math.round(longest)} ms`);
  assert.ok(retries >= 2, `it was tried again ${retries} times`);
  assert.ok(longest < LOCK_TIMEOUT_MS + SLACK_MS, `an accept took ${longest} ms`);
  await sql`select test_column from emails limit 1`.execute(emails.t.db);
});

/** So many rows that an index over all of them is built slowly. */
async function copyOneEmail(count: number): Promise<void> {
  await sql`
    insert into emails (workspace_id, id, content_id, recipient, lane, turn, status)
    select workspace_id, gen_random_uuid(), content_id, 'copy-' || n || '@example.com', 1, 0, 'sent'
      from (select workspace_id, content_id from emails limit 1) as one, generate_series(1, ${count}::int) as n`.execute(
    emails.t.db,
  );
}
