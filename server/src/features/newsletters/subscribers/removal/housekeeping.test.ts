import { eraseTraces } from '#features/consents';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createLog } from '#platform/log.ts';
import { newId } from '#platform/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/database.ts';
import { deleteCaptured } from '../../../../../test/harness/captured-emails.ts';
import type { Newsletter } from '../../newsletter.ts';
import { brakeConfirmations, SIGN_UPS_MIN } from '../confirmation/confirmation-brake.ts';
import { noteEngagement } from '../engagement-queries.ts';
import { purgePending } from './purge-pending.ts';
import { removeSubscriber } from './remove-subscriber.ts';
import { anotherNewsletter, aWorld, countsOf, join, proof, rowOf, toldIn, type World } from '../test-kit.ts';
import { confirmSubscriber } from '../confirmation/confirm-subscriber.ts';
import type { Subscriber } from '../subscriber.ts';

// Automations are above.
const deleteRunsOf = async (): Promise<void> => undefined;

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

const anAddress = (): string => `${newId()}@example.com`;
const purge = ({ ctx }: World, pendingPurgeDays = 30) => purgePending({ ...ctx, settings: { pendingPurgeDays } });

async function aged(world: World, days: number, newsletter: Newsletter = world.newsletter): Promise<Subscriber> {
  const { subscriber } = await join({ ...world, newsletter }, anAddress(), { name: 'Ada', evidence: proof });
  await sql`update subscribers set created_at = now() - make_interval(days => ${days}), updated_at = now() - make_interval(days => ${days})
    where workspace_id = ${subscriber.workspaceId} and id = ${subscriber.id}`.execute(t.db);
  return subscriber;
}
const isThere = async ({ workspaceId, id }: Subscriber): Promise<boolean> => {
  const { rows } = await sql`select from subscribers where workspace_id = ${workspaceId} and id = ${id}`.execute(t.db);
  return rows.length === 1;
};

test('pending subscribers are deleted after the days of the setting or of the newsletter, and never if it is 0', async () => {
  const world = await aWorld(t.db);
  const soon = await anotherNewsletter(world.ctx);
  const never = await anotherNewsletter(world.ctx);
  await sql`update newsletters set pending_purge_days = case when id = ${soon.id} then 2 else 0 end
    where workspace_id = ${world.ctx.workspaceId} and id in (${soon.id}, ${never.id})`.execute(t.db);
  const kept = [await aged(world, 29), await aged(world, 1, soon), await aged(world, 400, never)];
  const confirmed = await aged(world, 31);
  await confirmSubscriber(world.ctx, { newsletterId: confirmed.newsletterId, subscriberId: confirmed.id }, proof);
  const gone = [await aged(world, 31), await aged(world, 3, soon)];
  assert.equal(await purge(world, 0), 1, 'the setting says never; a newsletter that says two days means it');
  assert.equal(await purge(world), 1);
  assert.equal(await purge(world), 0);
  assert.deepEqual(await Promise.all([...kept, confirmed].map(isThere)), [true, true, true, true]);
  assert.deepEqual(await Promise.all(gone.map(isThere)), [false, false]);
  assert.deepEqual(await countsOf(world), { pending: 1, active: 1, unsubscribed: 0 });
  await sql`update emails set status = 'delivered' where workspace_id = ${world.ctx.workspaceId}`.execute(t.db);
  await eraseTraces({ db: t.db, deleteCaptured, deleteRunsOf });
  await assertNowhere(
    gone.map((row) => row.email),
    world.ctx.workspaceId,
  );
});

test('a page of the purge after another forgets everybody whose days are over', async () => {
  const world = await aWorld(t.db);
  await sql`insert into subscribers (workspace_id, id, newsletter_id, email, status, created_at, updated_at)
    select ${world.ctx.workspaceId}, ph_uuidv7(), ${world.newsletter.id}, n || '@purged.example', 'pending',
           now() - interval '40 days' - make_interval(secs => n / 10), now() - interval '40 days' from generate_series(1, 1201) as n`.execute(
    t.db,
  );
  assert.equal(await purge(world), 1_201);
  assert.deepEqual(await countsOf(world), { pending: 0, active: 0, unsubscribed: 0 });
});

test('a pending subscriber who was reminded lately stays as long as the link is valid', async () => {
  const world = await aWorld(t.db);
  const row = await aged(world, 60);
  await sql`update subscribers set updated_at = now() - interval '6 days' where workspace_id = ${row.workspaceId} and id = ${row.id}`.execute(
    t.db,
  );
  assert.equal(await purge(world), 0);
  assert.equal(await isThere(row), true);
});

test('an erased address is in no table any more when its emails have arrived; what is on its way follows', async () => {
  const world = await aWorld(t.db);
  const email = anAddress();
  // No key and no token of ours has it in it by chance, as some have "Ada".
  const name = 'Ada Lovelace';
  const { subscriber } = await join(world, email.replace('@', '+News@'), { name, evidence: proof });
  const { workspaceId } = subscriber;
  await sql`insert into captured_emails (workspace_id, id, email_id, message_id, envelope_from, envelope_to, subject, mime, size)
    select workspace_id, ph_uuidv7(), id, 'x', 'x', array[recipient], 'x', convert_to(recipient, 'utf8'), 1
      from emails where workspace_id = ${workspaceId}`.execute(t.db);
  await sql`insert into email_events (workspace_id, id, email_id, type, recipient, event_data)
    select workspace_id, ph_uuidv7(), id, 'bounce', recipient, jsonb_build_object('to', recipient) from emails where workspace_id = ${workspaceId}`.execute(
    t.db,
  );
  await sql`insert into webhook_bodies (workspace_id, event_id, body)
    select workspace_id, id, ${subscriber.email} from workspace_events where workspace_id = ${workspaceId}
    union all select workspace_id, id, ${subscriber.email} from email_events where workspace_id = ${workspaceId}`.execute(
    t.db,
  );
  await sql`insert into email_attempts (workspace_id, id, email_id, attempt, outcome, response)
    select workspace_id, ph_uuidv7(), id, 1, 'temporary', '450 <' || recipient || '>' from emails where workspace_id = ${workspaceId}`.execute(
    t.db,
  );
  await removeSubscriber(world.ctx, subscriber);
  await eraseTraces({ db: t.db, deleteCaptured, deleteRunsOf });
  const { emails } = await toldIn(world);
  assert.equal(emails[0]?.recipient, subscriber.email, 'what is queued still says to whom');
  await sql`update emails set status = 'bounced', error = '550 <' || recipient || '>' where workspace_id = ${workspaceId}`.execute(
    t.db,
  );
  await eraseTraces({ db: t.db, deleteCaptured, deleteRunsOf });
  await assertNowhere([subscriber.email, name, '203.0.113.7'], workspaceId);
  await sql`insert into email_events (workspace_id, id, email_id, type, recipient)
    select workspace_id, ph_uuidv7(), id, 'complaint', ${subscriber.email} from emails where workspace_id = ${workspaceId}`.execute(
    t.db,
  );
  await eraseTraces({ db: t.db, deleteCaptured, deleteRunsOf });
  await assertNowhere([subscriber.email], workspaceId);
  // Rendered before, and stored only now.
  await sql`insert into webhook_bodies (workspace_id, event_id, body)
    select workspace_id, id, ${subscriber.email} from email_events where workspace_id = ${workspaceId}`.execute(t.db);
  await eraseTraces({ db: t.db, deleteCaptured, deleteRunsOf });
  await assertNowhere([subscriber.email], workspaceId);
});

test('opens and clicks of people set when a subscriber last read something, and never set it back', async () => {
  const world = await aWorld(t.db);
  const { subscriber } = await join(world, anAddress());
  const { rows } = await sql<{
    id: string;
  }>`select id from emails where workspace_id = ${subscriber.workspaceId}`.execute(t.db);
  const emailId = rows[0]?.id ?? '';
  const [early, late] = [new Date('2026-11-01T10:00:00Z'), new Date('2026-11-02T10:00:00Z')];
  const engaged = { workspaceId: subscriber.workspaceId, emailId };
  await noteEngagement(t.db, [
    { ...engaged, openedAt: late, clickedAt: null },
    { ...engaged, workspaceId: newId(), openedAt: late, clickedAt: late },
  ]);
  let row = await rowOf(world, subscriber);
  assert.deepEqual([row.lastOpenedAt, row.lastClickedAt], [late, null]);
  await noteEngagement(t.db, [{ ...engaged, openedAt: early, clickedAt: early }]);
  row = await rowOf(world, subscriber);
  assert.deepEqual([row.lastOpenedAt, row.lastClickedAt], [late, early]);
});

test('a flood of public sign-ups stops confirmation emails once and tells the owners; imports, calls with a key and lists that are always busy do not', async () => {
  const flooded = await aWorld(t.db);
  const byKey = await aWorld(t.db);
  const busy = await aWorld(t.db);
  const honest = await aWorld(t.db);
  const signUps = async (world: World, hoursAgo: number, via: string, confirmed: boolean): Promise<void> => {
    await sql`insert into subscribers (workspace_id, id, newsletter_id, email, status, consent, created_at)
      select ${world.ctx.workspaceId}, ph_uuidv7(), ${world.newsletter.id}, gen_random_uuid() || '@flood.example',
             ${confirmed ? 'active' : 'pending'}, jsonb_build_object('signup_via', ${via}::text),
             now() - make_interval(hours => ${hoursAgo}) - interval '5 minutes'
        from generate_series(1, ${SIGN_UPS_MIN + 1}::integer)`.execute(t.db);
  };
  await signUps(flooded, 0, 'public', false);
  await signUps(byKey, 0, 'api', false);
  for (let hour = 0; hour <= 100; hour += 1) await signUps(busy, hour, 'public', false);
  await signUps(honest, 0, 'public', false);
  await signUps(honest, 0, 'public', true);
  await signUps(honest, 0, 'public', true);
  const mails: string[] = [];
  await anOwner(flooded.ctx.workspaceId);
  const ports = {
    ...flooded.ctx,
    log: createLog({ level: 'silent' }),
    sendSystemMail: async (_: unknown, mail: { to: string; subject: string }) =>
      void mails.push(`${mail.to}: ${mail.subject}`),
  };
  assert.deepEqual(
    (await brakeConfirmations(ports)).map(({ newsletterId }) => newsletterId),
    [flooded.newsletter.id],
  );
  assert.deepEqual(await brakeConfirmations(ports), []);
  assert.deepEqual(mails, ['owner@example.com: Confirmation emails of Acme Weekly are paused']);
});

async function anOwner(workspaceId: string): Promise<void> {
  const userId = newId();
  await sql`insert into users (id, email, name, password_hash, email_verified_at)
    values (${userId}, 'owner@example.com', 'Owner', 'x', now())`.execute(t.db);
  await sql`insert into members (workspace_id, user_id, role) values (${workspaceId}, ${userId}, 'owner')`.execute(
    t.db,
  );
}

/** None of the texts is in a row of any table of the workspace, whatever the column. One statement asks every table. */
async function assertNowhere(texts: readonly string[], workspaceId: string): Promise<void> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`.execute(t.db);
  assert.ok(tables.length > 20);
  const found = tables.map(
    ({ name }) => sql`
      select ${name}::text as place, wanted from ${sql.table(name)} x, unnest(${texts}::text[]) as wanted
       where x.workspace_id = ${workspaceId} and position(wanted in x::text) > 0`,
  );
  const { rows } = await sql`${sql.join(found, sql` union all `)}`.execute(t.db);
  assert.deepEqual(rows, []);
}
