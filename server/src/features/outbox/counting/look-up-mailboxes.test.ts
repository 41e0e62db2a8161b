import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { DELAY_CLASSES, medianOfClasses } from './delay-classes.ts';
import { lookUpMailboxes } from './look-up-mailboxes.ts';
import { MAILBOX_PROVIDERS, providerOf } from './mailbox-providers.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

const rowOf = async (domain: string) => {
  const { rows } = await sql<{ provider: string; later: string; tries: number; due: boolean }>`
    select provider, tries, next_look_at is not null as due,
           case when since = 'infinity' then 'never' when since = '-infinity' then 'always'
             when since > now() + interval '14 minutes' and since <= now() + interval '30 minutes'
              and since = date_bin('15 minutes', since, '2000-01-01T00:00:00Z') then 'soon' else since::text end as later
      from mailbox_domains where domain = ${domain}`.execute(database.db);
  return rows[0];
};
const see = (...domains: string[]) => sql`select ph_see_mailbox_domains(${domains}::text[])`.execute(database.db);
const failing = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));

test('each domain is asked for once, and its provider counts from a quarter of an hour that has not begun', async () => {
  await see('acme.dev', 'gmail.com', 'shop.example', 'none.dev', 'acme.dev', '');
  const asked: string[] = [];
  const resolve = (name: string) => {
    asked.push(name);
    // The form of node:dns, which the type of the port does not have.
    const mx = [{ exchange: 'ASPMX.L.Google.com.', priority: 1 }] as unknown as string[];
    return name === 'none.dev' ? failing('ENODATA') : Promise.resolve(mx);
  };
  assert.equal(await lookUpMailboxes({ db: database.db, resolve }), 3);
  assert.deepEqual(asked.toSorted(), ['acme.dev', 'none.dev'], 'not for what is known, nor for a reserved name');
  assert.deepEqual(await rowOf('acme.dev'), { provider: 'google', later: 'soon', tries: 1, due: false });
  assert.deepEqual(await rowOf('none.dev'), { provider: 'other', later: 'soon', tries: 1, due: false });
  assert.equal((await rowOf('gmail.com'))?.later, 'always');
  await see('acme.dev');
  assert.equal(await lookUpMailboxes({ db: database.db, resolve }), 0);
  const { rows } = await sql<{ now: string; later: string }>`
    select ph_mailbox_provider('acme.dev', now()) as now, ph_mailbox_provider('acme.dev', now() + interval '31 minutes') as later`.execute(
    database.db,
  );
  assert.deepEqual(rows[0], { now: 'other', later: 'google' });
});

test('a domain whose servers are silent is asked for three times, an hour apart, and then counts as one of the others', async () => {
  await see('silent.dev');
  const resolve = () => failing('ETIMEOUT');
  for (const tries of [1, 2, 3]) {
    assert.equal(await lookUpMailboxes({ db: database.db, resolve }), 1);
    assert.deepEqual(await rowOf('silent.dev'), { provider: 'other', later: 'never', tries, due: tries < 3 });
    assert.equal(await lookUpMailboxes({ db: database.db, resolve }), 0, 'not again within the hour');
    await sql`update mailbox_domains set next_look_at = now() where next_look_at is not null`.execute(database.db);
  }
});

test('a host belongs to the provider at the end of its name, and to nobody by a part of it', () => {
  assert.equal(providerOf(['acme-com.mail.protection.outlook.com']), 'microsoft');
  assert.equal(providerOf(['mx.own.dev', 'mx0a-001.pphosted.com']), 'proofpoint');
  assert.equal(providerOf(['notgoogle.com', 'google.com.evil.dev', '']), 'other');
});

test('each provider that the migration knows by its domain is one that can be asked for', async () => {
  const { rows } = await sql<{ provider: string }>`select distinct provider from mailbox_domains`.execute(database.db);
  for (const { provider } of rows) assert.ok(MAILBOX_PROVIDERS.includes(provider), provider);
});

test('the classes of delays are those of the database, and a median lies within its class', async () => {
  const { rows } = await sql<{ seconds: number; class: number }>`
    select s::integer as seconds, ph_delay_class(make_interval(secs => s)) as class
      from unnest(array[0, 0.5, 1, 59, 60, 86399, 86400, 900000]) as s`.execute(database.db);
  for (const { seconds, class: found } of rows) {
    assert.ok(found >= 1 && found <= DELAY_CLASSES);
    const median = medianOfClasses(new Map([[found, 1]])) ?? -1;
    assert.ok(seconds > 100_000 || Math.abs(median - seconds) <= Math.max(1, seconds), `${seconds} s: ${median}`);
  }
  assert.equal(rows.at(-1)?.class, DELAY_CLASSES);
  assert.equal(medianOfClasses(new Map()), null);
  const twoClasses = (first: number, second: number): number | null =>
    medianOfClasses(
      new Map([
        [1, first],
        [7, second],
      ]),
    );
  assert.deepEqual([twoClasses(4, 2), twoClasses(1, 3), twoClasses(-2, 2)], [0.8, 11.7, 12.5]);
});
