import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createSecrets } from '#platform/crypto/secrets.ts';
import { type Db, inTransaction, openDatabase } from '#platform/db/database.ts';
import { AppError } from '#platform/errors/app-error.ts';
import { tryLockKey } from '#platform/http/idempotency/queries.ts';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import type { Take } from '#platform/usage/take.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { aRawMessage, rawMime } from '../../../../test/harness/raw-messages.ts';
import { withRowReads } from '../../../../test/harness/row-reads.ts';
import { accept, aContent, aSend, aWorkspace, people } from '../test-kit.ts';
import { toInsert } from './accept-send.ts';
import { acceptSendOnce } from './accept-send-once.ts';
import { type AcceptedSend, rawContent } from './accepted-send.ts';
import { insertKeyedSends } from './queries/accept-sends.ts';

const SUBJECT = '0197f3e0-0000-7000-8000-000000000002';
const ROUTE = 'SMTP key';
const secrets = createSecrets('a master secret for tests, 32 bytes or more');

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

const once = (
  workspaceId: string,
  key: string,
  { body = 'one', db = t.db, ...send }: Partial<AcceptedSend> & { body?: string; db?: Db } = {},
): Promise<string> =>
  acceptSendOnce({ db, secrets, workspaceId }, aSend([`${key}@example.com`], send), {
    route: ROUTE,
    key,
    body: Buffer.from(body),
  });

interface StoredSend {
  recipient: string;
  jobId: string;
  xid: string;
}
const storedIn = async (workspaceId: string): Promise<StoredSend[]> => {
  const { rows } = await sql<StoredSend>`
    select recipient, send_id as "jobId", xmin::text as xid from emails where workspace_id = ${workspaceId}
     order by recipient`.execute(t.db);
  return rows;
};
const keysIn = async (workspaceId: string): Promise<{ key: string; xid: string }[]> => {
  const { rows } = await sql<{ key: string; xid: string }>`
    select key, xmin::text as xid from idempotency_keys where workspace_id = ${workspaceId} order by key`.execute(t.db);
  return rows;
};
const usedIn = async (workspaceId: string): Promise<number> => {
  const { rows } = await sql<{ used: number }>`
    select used from usage_windows where workspace_id = ${workspaceId}`.execute(t.db);
  return rows[0]?.used ?? 0;
};
const aTake = (workspaceId: string, cap: number): Take => ({
  workspaceId,
  subjectId: SUBJECT,
  tier: 'daily',
  windowStart: new Date('2026-11-22T00:00:00Z'),
  cap,
  count: 1,
  ofRecipients: true,
  refuse: () => new Error('the cap is reached'),
});
const isBusy = (error: unknown): boolean =>
  error instanceof AppError && error.name === 'conflict_error' && error.extras.retryAfterSeconds === 1;
const isAnother = (error: unknown): boolean =>
  error instanceof AppError && error.name === 'conflict_error' && error.extras.retryAfterSeconds === undefined;

test('sends with keys that come together share a commit with each other, with those without, and with their keys', async () => {
  const ws = await aWorkspace(t.db);
  const [first, second] = await Promise.all([
    once(ws, 'a'),
    once(ws, 'b'),
    accept(t.db, ws, aSend(['none@example.com'])),
  ]);
  const stored = await storedIn(ws);
  const keys = await keysIn(ws);
  assert.deepEqual(
    stored.map(({ recipient }) => recipient),
    ['a@example.com', 'b@example.com', 'none@example.com'],
  );
  assert.deepEqual(
    keys.map(({ key }) => key),
    ['a', 'b'],
  );
  assert.equal(new Set([...stored, ...keys].map(({ xid }) => xid)).size, 1);
  assert.equal(await once(ws, 'a'), first);
  assert.equal(await once(ws, 'b'), second);
  assert.equal((await storedIn(ws)).length, 3);
});

test('a key that comes several times at once is one email, and all hear of the same job', async () => {
  const ws = await aWorkspace(t.db);
  const takes = [aTake(ws, 10)];
  const jobs = await Promise.all([
    once(ws, 'other', { takes }),
    ...Array.from({ length: 5 }, () => once(ws, 'a', { takes })),
  ]);
  assert.equal(new Set(jobs.slice(1)).size, 1);
  assert.deepEqual((await storedIn(ws)).map(({ jobId }) => jobId).toSorted(), [...new Set(jobs)].toSorted());
  assert.equal(await usedIn(ws), 2);
});

test('of several bodies that come at once under one key, the first is stored and the others are refused', async () => {
  const ws = await aWorkspace(t.db);
  const [first, second, third] = await Promise.allSettled([
    once(ws, 'a', { body: 'one' }),
    once(ws, 'a', { body: 'two' }),
    once(ws, 'b', { body: 'two' }),
  ]);
  assert.equal(first?.status, 'fulfilled');
  assert.ok(second?.status === 'rejected' && isAnother(second.reason));
  assert.equal(third?.status, 'fulfilled');
  await assert.rejects(once(ws, 'a', { body: 'two' }), isAnother);
  assert.equal((await storedIn(ws)).length, 2);
});

test('a known send among new ones takes no place and is not stored; the others are', async () => {
  const ws = await aWorkspace(t.db);
  const takes = [aTake(ws, 10)];
  const first = await once(ws, 'a', { takes });
  const jobs = await Promise.all(['b', 'a', 'c', 'd'].map((key) => once(ws, key, { takes })));
  assert.equal(jobs[1], first);
  assert.equal(await usedIn(ws), 4);
  assert.equal((await storedIn(ws)).length, 4);
  // In a window that is full, known sends are known and others are refused.
  const full = [aTake(ws, 4)];
  const again = await Promise.allSettled(['a', 'new', 'c'].map((key) => once(ws, key, { takes: full })));
  assert.deepEqual(
    again.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason))),
    [jobs[1], 'Error: the cap is reached', jobs[2]],
  );
  assert.equal(await usedIn(ws), 4);
});

test('a send that a cap refuses leaves its key free, and one that came again with it is told to try later', async () => {
  const ws = await aWorkspace(t.db);
  const takes = [aTake(ws, 1)];
  const [stored, refused, again] = await Promise.allSettled(['a', 'b', 'b'].map((key) => once(ws, key, { takes })));
  assert.equal(stored?.status, 'fulfilled');
  assert.ok(refused?.status === 'rejected' && /the cap is reached/.test(String(refused.reason)));
  assert.ok(again?.status === 'rejected' && isBusy(again.reason));
  assert.deepEqual(
    (await keysIn(ws)).map(({ key }) => key),
    ['a'],
  );
  await once(ws, 'b', { takes: [aTake(ws, 2)] });
  assert.equal((await storedIn(ws)).length, 2);
});

test('while another transaction holds the key, the send is told to try later, at once, and those beside it are stored', async () => {
  const ws = await aWorkspace(t.db);
  await inTransaction(t.db, async (tx) => {
    assert.equal(await tryLockKey(tx, { workspaceId: ws, route: ROUTE, key: 'a' }), true);
    const [held, beside] = await Promise.allSettled([once(ws, 'a'), once(ws, 'b')]);
    assert.ok(held?.status === 'rejected' && isBusy(held.reason));
    assert.equal(beside?.status, 'fulfilled');
  });
  await once(ws, 'a');
  assert.deepEqual(
    (await storedIn(ws)).map(({ recipient }) => recipient),
    ['a@example.com', 'b@example.com'],
  );
});

test('a large send goes alone, and is the same send as a small one under its key', async () => {
  const ws = await aWorkspace(t.db);
  const large = aContent({ html: 'x'.repeat(70_000) });
  const first = await once(ws, 'a', { content: large });
  assert.equal(await once(ws, 'a'), first);
  const second = await once(ws, 'b');
  assert.equal(await once(ws, 'b', { content: large }), second);
  assert.equal((await storedIn(ws)).length, 2);
});

test('the same key of two workspaces that come together are two sends, and each workspace hears of its own', async () => {
  const [ws, other] = [await aWorkspace(t.db), await aWorkspace(t.db)];
  const both = (): Promise<string[]> => Promise.all([once(ws, 'a'), once(other, 'a', { body: 'two' })]);
  const jobs = await both();
  assert.notEqual(jobs[0], jobs[1]);
  assert.deepEqual(await both(), jobs);
  // A page with the key of one and a new key of the other.
  assert.equal((await Promise.all([once(ws, 'a'), once(other, 'b')]))[0], jobs[0]);
  assert.deepEqual(
    [await storedIn(ws), await storedIn(other)].map((rows) => rows.map(({ recipient }) => recipient)),
    [['a@example.com'], ['a@example.com', 'b@example.com']],
  );
  assert.deepEqual((await storedIn(ws))[0]?.jobId, jobs[0]);
  assert.deepEqual((await storedIn(other))[0]?.jobId, jobs[1]);
});

test('a known send with places in a limit beside new ones without any: those are stored in one commit', async () => {
  const ws = await aWorkspace(t.db);
  const takes = [aTake(ws, 1)];
  const first = await once(ws, 'a', { takes });
  const jobs = await Promise.all([once(ws, 'a', { takes }), once(ws, 'b'), once(ws, 'c')]);
  assert.equal(jobs[0], first);
  const [, b, c] = await storedIn(ws);
  assert.deepEqual([b?.jobId, c?.jobId], jobs.slice(1));
  assert.equal(b?.xid, c?.xid);
  assert.equal(await usedIn(ws), 1);
});

test('suppressed addresses take no places, also beside a known send', async () => {
  const ws = await aWorkspace(t.db);
  const takes = [aTake(ws, 10)];
  await sql`insert into suppressions (workspace_id, id, email, reason)
    values (${ws}, ${newId()}, 'b@example.com', 'manual')`.execute(t.db);
  await once(ws, 'a', { takes });
  await Promise.all(['a', 'b', 'c'].map((key) => once(ws, key, { takes })));
  assert.equal(await usedIn(ws), 2);
  assert.equal((await storedIn(ws)).length, 3);
});

test('a known message among new ones leaves each of those its own bytes', async () => {
  const ws = await aWorkspace(t.db);
  const raw = async (key: string): Promise<string> => {
    const content = rawContent(await aRawMessage(rawMime(`The bytes of ${key}\r\n`)), {
      domain: { domain: 'posthorn.test', domainId: null },
    });
    return once(ws, key, { content });
  };
  await raw('b');
  await Promise.all(['a', 'b', 'c'].map(raw));
  const { rows } = await sql<{ recipient: string; mime: Buffer }>`
    select e.recipient, c.mime from emails e
      join contents c on c.workspace_id = e.workspace_id and c.id = e.content_id
     where e.workspace_id = ${ws} order by e.recipient`.execute(t.db);
  assert.deepEqual(
    rows.map(({ recipient, mime }) => `${recipient}: ${/The bytes of ./.exec(mime.toString())?.[0]}`),
    ['a', 'b', 'c'].map((key) => `${key}@example.com: The bytes of ${key}`),
  );
});

test('a key is known for 24 hours, in its workspace and place', async () => {
  const [ws, other] = [await aWorkspace(t.db), await aWorkspace(t.db)];
  const first = await once(ws, 'a');
  assert.notEqual(await once(other, 'a'), first);
  await sql`update idempotency_keys set created_at = now() - interval '24 hours 1 minute' where workspace_id = ${ws}`.execute(
    t.db,
  );
  const second = await once(ws, 'a', { body: 'two' });
  assert.notEqual(second, first);
  assert.equal(await once(ws, 'a', { body: 'two' }), second);
  assert.equal((await storedIn(ws)).length, 2);
});

test('a send that cannot be stored leaves its key free and harms none that came with it', async () => {
  const ws = await aWorkspace(t.db);
  await sql`create function refuse_bad() returns trigger language plpgsql as $$
    begin raise exception 'no'; end $$`.execute(t.db);
  await sql`create trigger refuse_bad before insert on emails for each row when (new.recipient = 'bad@example.com')
    execute function refuse_bad()`.execute(t.db);
  const good = Array.from({ length: 20 }, (_, n) => `good-${n}`).toSorted();
  const results = await Promise.allSettled([...good, 'bad', 'good-0'].map((key) => once(ws, key)));
  await sql`drop trigger refuse_bad on emails`.execute(t.db);
  assert.deepEqual(
    results.map(({ status }) => status),
    [...good.map(() => 'fulfilled'), 'rejected', 'fulfilled'],
  );
  assert.deepEqual(results[21], results[0]);
  assert.deepEqual(
    (await keysIn(ws)).map(({ key }) => key),
    good,
  );
  await once(ws, 'bad');
  assert.equal((await storedIn(ws)).length, 21);
});

test('the same keys at once over two processes: one email each, and all who are not told to wait hear of its job', async () => {
  const ws = await aWorkspace(t.db);
  const other = openDatabase({
    url: t.url,
    poolMax: 10,
    applicationName: 'other',
    log: createLog({ level: 'silent' }),
  });
  try {
    const keys = people(12, 'key').map((address) => address.split('@')[0] ?? '');
    for (let round = 0; round < 10; round += 1) {
      const jobs = new Map<string, Set<string>>();
      await Promise.all(
        [t.db, other.db, t.db, other.db].flatMap((db) =>
          keys.map(async (key) => {
            const name = `${key}-${round}`;
            const job = await once(ws, name, { db, takes: [aTake(ws, 1_000)] }).catch((error: unknown) => {
              assert.ok(isBusy(error), String(error));
              return null;
            });
            if (job !== null) jobs.set(name, (jobs.get(name) ?? new Set()).add(job));
          }),
        ),
      );
      assert.equal(jobs.size, keys.length, 'a key was stored by nobody');
      assert.ok([...jobs.values()].every((ofKey) => ofKey.size === 1));
      assert.equal((await storedIn(ws)).length, keys.length * (round + 1));
    }
    assert.equal(await usedIn(ws), keys.length * 10);
  } finally {
    await other.close();
  }
});

test('a send reads the kept answer of its own key and its own suppressions, whatever stands beside them', async () => {
  const ws = await aWorkspace(t.db);
  await sql`insert into idempotency_keys (workspace_id, route, key, fingerprint, status, response)
    select ${ws}, ${ROUTE}, 'kept ' || n, '', 202, '' from generate_series(1, 3000) n`.execute(t.db);
  await sql`insert into suppressions (workspace_id, id, email, reason)
    select ${ws}, gen_random_uuid(), 'kept' || n || '@example.com', 'manual' from generate_series(1, 3000) n`.execute(
    t.db,
  );
  await sql`analyze idempotency_keys, suppressions`.execute(t.db);
  const takes = [aTake(ws, 1_000)];
  for (const given of [{ takes }, { takes: [] }]) {
    const send = toInsert(ws, aSend(['kept1@example.com', 'free@example.com'], given));
    const answer = { workspaceId: ws, route: ROUTE, key: newId(), fingerprint: Buffer.alloc(32), status: 202 };
    const keyed = { ...send, answer: { ...answer, response: Buffer.alloc(8), headers: {} } };
    const { found, reads } = await withRowReads(t.db, ['idempotency_keys', 'suppressions'], (tx) =>
      insertKeyedSends(tx, [keyed], [given.takes]),
    );
    const [stored] = found;
    assert.deepEqual(stored !== undefined && 'suppressed' in stored ? [...stored.suppressed] : stored, [0]);
    assert.ok(reads < 300, `${reads} rows read`);
  }
});

test('the server keeps the plan of accepting, the same for three messages as for four, and none of a transaction', async () => {
  const ws = await aWorkspace(t.db);
  const raw = rawContent(await aRawMessage(), { domain: { domain: 'acme.test', domainId: null } });
  const keptBy = async (db: Db, messages: number): Promise<number> => {
    const sends = people(messages).map((to) => toInsert(ws, aSend([to], { content: raw })));
    await insertKeyedSends(db, sends, []);
    const { rows } = await sql`select from pg_prepared_statements where statement like '%ph_accept_sends%'`.execute(db);
    return rows.length;
  };
  // A connection of its own: those of the pool have accepted before.
  const own = openDatabase({ url: t.url, poolMax: 1, applicationName: 'own', log: createLog({ level: 'silent' }) });
  assert.equal(await inTransaction(own.db, (tx) => keptBy(tx, 3)), 0);
  assert.deepEqual([await keptBy(own.db, 3), await keptBy(own.db, 4), await keptBy(own.db, 5)], [1, 1, 2]);
  await own.close();
});
