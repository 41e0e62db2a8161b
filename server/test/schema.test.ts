import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { listSchema } from '../scripts/schema-listing.ts';
import { createTestDatabase, type TestDatabase } from './harness/database.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

test('schema.sql is what the migrations build (if not: npm run db:dump)', async () => {
  const kept = readFileSync(join(import.meta.dirname, '../schema.sql'), 'utf8');
  assert.equal(await listSchema(database.db), kept);
});

test('every table of a workspace is keyed by workspace_id first', async () => {
  const { rows } = await sql<{ name: string; key: string[] }>`
    select c.relname as name,
           array(select a.attname::text from unnest(k.conkey) with ordinality as u (num, n)
                   join pg_attribute a on a.attrelid = c.oid and a.attnum = u.num order by u.n) as key
      from pg_class c
      join pg_attribute w on w.attrelid = c.oid and w.attname = 'workspace_id'
      left join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`.execute(database.db);
  assert.ok(rows.length > 15, 'the tables of workspaces were found');
  const others = rows.filter(({ key }) => key[0] !== 'workspace_id').map(({ name }) => name);
  // Look-ups that start before the workspace is known: a key's prefix, an invitation's token, a slug that a public page
  // has or had. Names that exist once for all workspaces.
  const expected = [
    'api_key_lookups',
    'invite_tokens',
    'newsletter_former_slugs',
    'newsletter_slugs',
    'provider_identities',
    'verified_domains',
  ];
  assert.deepEqual(others.toSorted(), expected);
});

/**
 * They go in the statement that deletes the workspace, which has 29 seconds: a million rows of the largest took ten.
 * A table that gets rows with each request or email has no foreign key, and a purge (`outbox/purge-workspace.ts`).
 */
test('the tables that go in one statement with their workspace have few rows', async () => {
  const { rows } = await sql<{ name: string }>`
    with recursive gone (id) as (
      select 'workspaces'::regclass::oid
      union
      select k.conrelid from pg_constraint k join gone g on k.confrelid = g.id
       where k.contype = 'f' and k.confdeltype = 'c'
    )
    select id::regclass::text as name from gone where id <> 'workspaces'::regclass order by 1`.execute(database.db);
  const ofSettings = [
    'api_key_lookups',
    'api_keys',
    'broadcast_corrections',
    'broadcast_versions',
    'broadcasts',
    'contact_properties',
    'domain_checks',
    'domain_dkim_keys',
    'domain_marks',
    'domain_watches',
    'domains',
    'exports',
    'imports',
    'invite_tokens',
    'invites',
    'members',
    'newsletter_former_slugs',
    'newsletter_reminders',
    'newsletter_slugs',
    'newsletters',
    'sending_gates',
    'template_versions',
    'templates',
    'transfer_turns',
    'usage_windows',
    'verified_domains',
    'webhooks',
  ];
  // Claims of requests that are under way, lifts of three days, and the security log of what people do.
  const larger = ['idempotency_claims', 'security_log', 'suppression_lifts'];
  assert.deepEqual(
    rows.map(({ name }) => name),
    [...ofSettings, ...larger].toSorted(),
  );
});

test('the listing shows each kind of change', async () => {
  const before = await listSchema(database.db);
  const changes = [
    sql`alter table batches add column extra integer not null default 3`,
    sql`create index batches_extra on batches (extra) where extra > 0`,
    sql`alter table batches add constraint batches_small check (extra < 9)`,
    sql`alter table batches set (fillfactor = 70)`,
    sql`create function f_extra() returns integer language sql as 'select 1'`,
    sql`create trigger batches_fixed before update on batches for each row execute function ph_refuse_change()`,
    sql`create type colour as enum ('red')`,
    sql`create sequence numbers`,
    sql`create view all_batches as select id from batches`,
    sql`alter table contents alter column html set storage external`,
    sql`alter table contents alter column subject drop not null`,
  ];
  let listed = before;
  for (const change of changes) {
    await change.execute(database.db);
    const now = await listSchema(database.db);
    assert.notEqual(now, listed);
    listed = now;
  }
});
