import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { SystemMail } from '#features/workspaces';
import { systemClock } from '#platform/clock.ts';
import { loadSettings } from '#platform/config/settings.ts';
import { createSecrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import { anEmail, aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { applyProviderEvents } from '../apply-provider-events.ts';
import { feedbackService } from '../feedback-service.ts';
import { forgetOld } from '../forget-old.ts';
import { cleanWords, isAlarming } from './policy-refusals.ts';
import { createRefusedMail } from './refused-mail.ts';

const SECRET = 'a master secret for tests, 32 bytes or more';
const WORDS = '550 5.7.1 <ada@mail.example>: 192.0.2.1 is on our block list, see https://list.example/192.0.2.1';
let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

async function aWorkspaceWithOwner(): Promise<{ workspaceId: string; owner: string }> {
  const workspaceId = await aWorkspace(t.db, { name: 'Acme' });
  const [id, owner] = [newId(), `owner-${newId()}@example.com`];
  await sql`insert into users (id, email) values (${id}, ${owner})`.execute(t.db);
  await sql`insert into members (workspace_id, user_id, role) values (${workspaceId}, ${id}, 'owner')`.execute(t.db);
  return { workspaceId, owner };
}

/** As many emails to people of a domain, all of which the provider reports on. */
async function told(workspaceId: string, count: number, domain: string, payload: object, sandbox = false) {
  const { sendId } = await anEmail(t.db, workspaceId, { status: 'queued' });
  const type = 'bounce' in payload ? 'bounce' : 'delivery';
  await sql`
    with made as (
      insert into emails (workspace_id, id, send_id, content_id, recipient, lane, turn, status, attempts, sandbox)
      select workspace_id, ph_uuidv7(), send_id, content_id, ${newId()} || n || '@' || ${domain}, 1, n, 'sent', 1,
             ${sandbox}
        from emails cross join generate_series(1, ${count}::int) n
       where workspace_id = ${workspaceId} and send_id = ${sendId} returning workspace_id, id, recipient)
    insert into provider_events (workspace_id, id, email_id, type, recipient, at, payload)
    select workspace_id, ph_uuidv7(), id, ${type}, recipient, now() - interval '1 minute',
           ${JSON.stringify(payload)}::jsonb from made`.execute(t.db);
}

const refusal = (diagnosticCode = WORDS) => ({
  bounce: {
    bounceType: 'Permanent',
    bounceSubType: 'General',
    bouncedRecipients: [{ status: '5.7.1', diagnosticCode }],
  },
});

/** Applies everything that is due; returns the mails to owners, and the refusals counted by the metric. */
async function applied(
  fails?: (tx: Db) => Promise<void>,
): Promise<{ mails: SystemMail[]; refused: number; errors: number }> {
  const mails: SystemMail[] = [];
  const result = { mails, refused: 0, errors: 0 };
  const log = createLog({ level: 'error', destination: { write: () => void (result.errors += 1) } });
  const { settings } = loadSettings({ POSTHORN_SECRET_KEY: SECRET });
  const secrets = createSecrets(SECRET);
  const sendSystemMail = async ({ db }: Ctx, mail: SystemMail): Promise<void> => {
    await fails?.(db);
    mails.push(mail);
  };
  const ports = { db: t.db, clock: systemClock, log };
  await feedbackService({
    ...ports,
    readers: { ses: never, mail: never },
    tellRefused: createRefusedMail({ ...ports, settings, secrets, sendSystemMail }),
    onRefused: (count) => void (result.refused += count),
  }).runOnce();
  return result;
}
const never = () => {
  throw new Error('there are no notifications');
};

const rowsOf = async (workspaceId: string) => {
  const { rows } = await sql<{ refused: number; delivered: number; recipient_domain: string }>`
    select recipient_domain, refused, delivered from policy_refusals where workspace_id = ${workspaceId}
     order by recipient_domain`.execute(t.db);
  return rows;
};

test('the owners get one mail a day about a domain that refuses 20 emails of theirs, and nobody is suppressed', async () => {
  const { workspaceId, owner } = await aWorkspaceWithOwner();
  await told(workspaceId, 19, 'mail.example', refusal());
  assert.deepEqual(await applied(), { mails: [], refused: 19, errors: 0 });
  await told(workspaceId, 1, 'mail.example', refusal());
  const { mails } = await applied();
  assert.deepEqual(
    mails.map(({ to }) => to),
    [owner],
  );
  const [mail] = mails;
  assert.match(mail?.subject ?? '', /^mail\.example refuses mail from \S+$/);
  assert.match(mail?.text ?? '', /refused 20 emails from \S+ \(Acme\)/);
  assert.match(mail?.text ?? '', /“550 5\.7\.1 <\(an address\)>: 192\.0\.2\.1 is on our block list/);
  await told(workspaceId, 30, 'mail.example', refusal());
  assert.deepEqual((await applied()).mails, []);
  assert.deepEqual(await rowsOf(workspaceId), [{ recipient_domain: 'mail.example', refused: 50, delivered: 0 }]);
  const { rows } = await sql`select 1 from suppressions where workspace_id = ${workspaceId}`.execute(t.db);
  assert.deepEqual(rows, []);

  await sql`update policy_refusals set day = day - 1, told_on = told_on - 1 where workspace_id = ${workspaceId}`.execute(
    t.db,
  );
  await told(workspaceId, 20, 'mail.example', refusal());
  assert.equal((await applied()).mails.length, 1, 'another day, counted anew');
  assert.deepEqual(await rowsOf(workspaceId), [{ recipient_domain: 'mail.example', refused: 20, delivered: 0 }]);
});

test('no mail where refusals are few beside deliveries, for other bounces, or for the sandbox', async () => {
  const { workspaceId } = await aWorkspaceWithOwner();
  await told(workspaceId, 1, 'big.example', refusal());
  await applied();
  await told(workspaceId, 400, 'big.example', { delivery: {} });
  await told(workspaceId, 19, 'big.example', refusal());
  await told(workspaceId, 25, 'gone.example', refusal('550 5.1.1 no such user'));
  await told(workspaceId, 25, 'play.example', refusal(), true);
  await told(workspaceId, 25, 'fine.example', { delivery: {} });
  assert.deepEqual((await applied()).mails, []);
  assert.deepEqual(await rowsOf(workspaceId), [{ recipient_domain: 'big.example', refused: 20, delivered: 400 }]);
  assert.deepEqual(
    [
      { refused: 19, delivered: 0 },
      { refused: 20, delivered: 380 },
      { refused: 20, delivered: 381 },
    ].map(isAlarming),
    [false, true, false],
  );
});

test('a mail that cannot be written is logged, and the next refusal of the day tries again', async () => {
  const { workspaceId } = await aWorkspaceWithOwner();
  await told(workspaceId, 20, 'mail.example', refusal());
  const failing = async (): Promise<void> => {
    throw new Error('planted');
  };
  assert.deepEqual(await applied(failing), { mails: [], refused: 20, errors: 1 });
  assert.deepEqual(await applied(), { mails: [], refused: 0, errors: 0 }, 'not at every look');
  await told(workspaceId, 1, 'mail.example', refusal());
  assert.equal((await applied()).mails.length, 1);
});

test('a process that dies behind the round of a refusal leaves its mail to the next look of any process', async () => {
  const { workspaceId, owner } = await aWorkspaceWithOwner();
  await told(workspaceId, 20, 'mail.example', refusal());
  assert.equal((await applyProviderEvents(t.db)).alarms, 1, 'it is committed, and nothing else has happened');
  const { mails, refused } = await applied();
  assert.equal(refused, 0, 'no further refusal comes');
  assert.deepEqual(
    mails.map(({ to }) => to),
    [owner],
  );
  assert.deepEqual((await applied()).mails, []);
});

test('a process that dies while it mails leaves the mail to the next look, which sends it once', async () => {
  const { workspaceId } = await aWorkspaceWithOwner();
  await told(workspaceId, 20, 'mail.example', refusal());
  const dying = async (tx: Db): Promise<void> => {
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
  };
  await assert.rejects(applied(dying), /could not be told yet/);
  assert.equal((await applied()).mails.length, 1);
  assert.deepEqual((await applied()).mails, []);
});

test('the mail of a day that is over names that day, and counts of another day are not told of before there are 20', async () => {
  const { workspaceId } = await aWorkspaceWithOwner();
  const other = await aWorkspaceWithOwner();
  for (const id of [workspaceId, other.workspaceId]) await told(id, 20, 'mail.example', refusal());
  assert.equal((await applyProviderEvents(t.db)).alarms, 2);
  const { rows } = await sql<{ day: string }>`
    update policy_refusals set day = day - 1 where workspace_id in (${workspaceId}, ${other.workspaceId})
    returning day::text`.execute(t.db);
  await told(other.workspaceId, 1, 'mail.example', refusal());
  await applyProviderEvents(t.db);
  const { mails } = await applied();
  assert.equal(mails.length, 1);
  assert.ok(mails[0]?.text.includes(`On ${rows[0]?.day} (UTC) mail.example refused 20 emails`), mails[0]?.text);
});

test('counts of refusals are removed after a week', async () => {
  const { workspaceId } = await aWorkspaceWithOwner();
  const { workspaceId: other } = await aWorkspaceWithOwner();
  for (const id of [workspaceId, other]) await told(id, 1, 'mail.example', refusal());
  await applied();
  await sql`update policy_refusals set day = day - 8 where workspace_id = ${workspaceId}`.execute(t.db);
  await forgetOld(t.db, () => true);
  assert.deepEqual([(await rowsOf(workspaceId)).length, (await rowsOf(other)).length], [0, 1]);
});

test('the words of a server are kept on one short line, without addresses of people', () => {
  assert.equal(cleanWords('550 no\r\n\u202e mail for ada@example.com!'), '550 no mail for (an address)');
  assert.equal(cleanWords('x'.repeat(9_999)).length, 300);
});
