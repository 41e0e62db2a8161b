import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { inTransaction } from '#platform/db/database.ts';
import { addReactions, reactionTo } from '#platform/announcements.ts';
import { newId } from '#platform/ids.ts';
import { anEmail, aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { burstsJudged, type LinkBurst } from '../announcements.ts';
import { applyProviderEvents } from '../apply-provider-events.ts';
import { insertProviderEvents } from '../queries/insert-provider-events.ts';
import { clientOf } from './bursts.ts';
import { clickKeyAt } from './click-key.ts';
import { noteLeaveVisit } from './note-leave-visit.ts';

let t: TestDatabase;
let workspaceId: string;
before(async () => {
  t = await createTestDatabase();
  workspaceId = await aWorkspace(t.db);
  addReactions(t.db, [reactionTo(burstsJudged, async (_tx, bursts) => void told.push(...bursts))]);
});
after(() => t.close());

// Long enough ago that everything told here has happened.
const HANDED_OFF = new Date(Date.now() - 3_600_000);
const sentEmail = async (given: object = {}): Promise<string> =>
  (
    await anEmail(t.db, workspaceId, {
      status: 'sent',
      attempts: 1,
      handoffAt: HANDED_OFF,
      sentAt: HANDED_OFF,
      ...given,
    })
  ).emailId;

interface Given {
  type?: 'open' | 'click';
  /** Seconds after the hand-off. */
  at?: number;
  link?: string;
  ip?: string;
  reason?: string;
}

async function tell(emailId: string, ...list: Given[]): Promise<void> {
  await insertProviderEvents(
    t.db,
    list.map(({ type = 'click', at = 60, link = 'https://a.test/', ip = '192.0.2.1', reason }) => {
      const when = new Date(HANDED_OFF.getTime() + at * 1_000);
      const details = {
        timestamp: when.toISOString(),
        ipAddress: ip,
        userAgent: 'x',
        is_bot: reason !== undefined,
        bot_reason: reason ?? null,
        first: false,
      };
      return {
        workspaceId,
        emailId,
        type,
        recipient: '',
        at: when,
        payload: type === 'open' ? { open: details } : { click: { ...details, link, linkTags: {} } },
        semanticKey: `${type === 'click' ? clickKeyAt(when) : 'open'} ${newId()}`,
        providerMessageId: null,
        notBefore: null,
      };
    }),
  );
}

interface Judged {
  type: string;
  recipient: string;
  link: string | null;
  reason: string | null;
  first: boolean;
}

async function judgedOf(emailId: string): Promise<Judged[]> {
  const { rows } = await sql<Judged & { is_bot: boolean }>`
    select type, recipient, event_data -> type ->> 'link' as link, event_data -> type ->> 'bot_reason' as reason,
           (event_data -> type -> 'is_bot')::boolean as is_bot, (event_data -> type -> 'first')::boolean as first
      from email_events where workspace_id = ${workspaceId} and email_id = ${emailId} and type in ('open', 'click')
     order by at, link`.execute(t.db);
  return rows.map(({ is_bot: isBot, ...row }) => {
    assert.equal(isBot, row.reason !== null);
    return row;
  });
}

const reasonsOf = async (emailId: string): Promise<(string | null)[]> =>
  (await judgedOf(emailId)).map(({ reason }) => reason);

async function countersOf(emailId: string): Promise<unknown> {
  const { rows } = await sql`
    select open_count as opens, click_count as clicks, machine_open_count as "machineOpens",
           machine_click_count as "machineClicks" from emails
     where workspace_id = ${workspaceId} and id = ${emailId}`.execute(t.db);
  return rows[0];
}

const LINKS = ['https://a.test/', 'https://b.test/', 'https://c.test/'];

test('a person’s open and click are a person’s, the first of its kind, and of the email’s recipient', async () => {
  const emailId = await sentEmail({ recipient: 'eve@example.com' });
  await tell(emailId, { type: 'open', at: 60 }, { at: 70 }, { type: 'open', at: 80 });
  await applyProviderEvents(t.db);
  assert.deepEqual(await judgedOf(emailId), [
    { type: 'open', recipient: 'eve@example.com', link: null, reason: null, first: true },
    { type: 'click', recipient: 'eve@example.com', link: 'https://a.test/', reason: null, first: true },
    { type: 'open', recipient: 'eve@example.com', link: null, reason: null, first: false },
  ]);
  assert.deepEqual(await countersOf(emailId), { opens: 2, clicks: 1, machineOpens: 0, machineClicks: 0 });
});

test('first is told once, over any number of rounds, and never of a machine', async () => {
  const emailId = await sentEmail();
  await tell(emailId, { type: 'open', reason: 'apple_mail_privacy' });
  await applyProviderEvents(t.db);
  await tell(emailId, { type: 'open', at: 100 });
  await applyProviderEvents(t.db);
  await tell(emailId, { type: 'open', at: 90 }, { type: 'open', at: 110, reason: 'bot_user_agent' });
  await applyProviderEvents(t.db);
  assert.deepEqual(
    (await judgedOf(emailId)).map(({ first, reason }) => [first, reason]),
    [
      [false, 'apple_mail_privacy'],
      [false, null],
      [true, null],
      [false, 'bot_user_agent'],
    ],
  );
  assert.deepEqual(await countersOf(emailId), { opens: 2, clicks: 0, machineOpens: 2, machineClicks: 0 });
});

test('three links within five seconds from one client are a scanner’s, all of them', async () => {
  const emailId = await sentEmail();
  await tell(emailId, ...LINKS.map((link, index) => ({ link, at: 60 + index * 2 })));
  await applyProviderEvents(t.db);
  assert.deepEqual(await reasonsOf(emailId), ['burst', 'burst', 'burst']);
  assert.deepEqual(await countersOf(emailId), { opens: 0, clicks: 0, machineOpens: 0, machineClicks: 3 });
});

test('two links six seconds apart, and three over ten, are a person’s', async () => {
  const two = await sentEmail();
  await tell(two, { link: 'https://a.test/', at: 60 }, { link: 'https://b.test/', at: 66 });
  const three = await sentEmail();
  await tell(three, ...LINKS.map((link, index) => ({ link, at: 60 + index * 5 })));
  await applyProviderEvents(t.db);
  assert.deepEqual(await reasonsOf(two), [null, null]);
  assert.deepEqual(await reasonsOf(three), [null, null, null]);
});

test('three emails of one reader are no burst', async () => {
  const emails = [await sentEmail(), await sentEmail(), await sentEmail()];
  for (const [index, emailId] of emails.entries()) await tell(emailId, { link: LINKS[index] ?? '' });
  await applyProviderEvents(t.db);
  for (const emailId of emails) assert.deepEqual(await reasonsOf(emailId), [null]);
});

test('a burst is seen by each of its clicks whenever they are judged: what is held back counts', async () => {
  const emailId = await sentEmail();
  await tell(emailId, ...LINKS.map((link, index) => ({ link, at: 60 + index })));
  await sql`update provider_events set not_before = now() + interval '1 hour'
             where workspace_id = ${workspaceId} and email_id = ${emailId}
               and payload -> 'click' ->> 'link' <> ${LINKS[1] ?? ''}`.execute(t.db);
  await applyProviderEvents(t.db);
  assert.deepEqual(await reasonsOf(emailId), ['burst']);
  await sql`update provider_events set not_before = null
             where workspace_id = ${workspaceId} and email_id = ${emailId}`.execute(t.db);
  await applyProviderEvents(t.db);
  assert.deepEqual(await reasonsOf(emailId), ['burst', 'burst', 'burst']);
});

test('a click that comes late is judged with those that were told about; they stay as they were told', async () => {
  const emailId = await sentEmail();
  await tell(emailId, { link: LINKS[0] ?? '', at: 60 }, { link: LINKS[1] ?? '', at: 61 });
  await applyProviderEvents(t.db);
  await tell(emailId, { link: LINKS[2] ?? '', at: 62 });
  await applyProviderEvents(t.db);
  assert.deepEqual(await reasonsOf(emailId), [null, null, 'burst']);
  assert.deepEqual(await countersOf(emailId), { opens: 0, clicks: 2, machineOpens: 0, machineClicks: 1 });
});

for (const type of ['open', 'click'] as const) {
  test(`too soon: ${type} within three seconds of the hand-off, and not later`, async () => {
    const soon = await sentEmail();
    await tell(soon, { type, at: 0 }, { type, at: 2.999 }, { type, at: 3 });
    await applyProviderEvents(t.db);
    assert.deepEqual(await reasonsOf(soon), ['too_soon', 'too_soon', null]);
  });
}

test('sandbox sends and captured mail are never "too soon", because nobody can have scanned them', async () => {
  const sandbox = await sentEmail();
  await sql`update emails set sandbox = true where workspace_id = ${workspaceId} and id = ${sandbox}`.execute(t.db);
  const captured = await sentEmail();
  await sql`insert into captured_emails (workspace_id, id, email_id, message_id, envelope_from, envelope_to, subject, mime, size)
    values (${workspaceId}, ${newId()}, ${captured}, '<x@y>', 'a@b.c', '{d@e.f}', '', '', 0)`.execute(t.db);
  for (const emailId of [sandbox, captured]) await tell(emailId, { type: 'open', at: 1 });
  await applyProviderEvents(t.db);
  for (const emailId of [sandbox, captured]) assert.deepEqual(await reasonsOf(emailId), [null]);
});

test('an email that was handed over twice: an open of the first copy is not too soon', async () => {
  const emailId = await sentEmail();
  await tell(emailId, { type: 'open', at: -600 });
  await applyProviderEvents(t.db);
  assert.deepEqual(await reasonsOf(emailId), [null]);
});

test('opens and clicks that a provider reports are judged too, and keep their recipient', async () => {
  const emailId = await sentEmail();
  const at = new Date(HANDED_OFF.getTime() + 60_000);
  const clicks = LINKS.map((link) => ({ timestamp: at.toISOString(), ipAddress: '192.0.2.1', userAgent: 'x', link }));
  await insertProviderEvents(
    t.db,
    clicks.map((click, index) => ({
      workspaceId,
      emailId,
      type: 'click' as const,
      recipient: 'Ada@Example.com',
      at,
      payload: { click },
      semanticKey: `ses ${index}`,
      providerMessageId: null,
      notBefore: null,
    })),
  );
  await applyProviderEvents(t.db);
  const judged = await judgedOf(emailId);
  assert.deepEqual(
    judged.map(({ reason }) => reason),
    ['burst', 'burst', 'burst'],
  );
  assert.equal(judged[0]?.recipient, 'Ada@Example.com');
});

const told: LinkBurst[] = [];
const toldOf = (emailId: string) =>
  told
    .filter((burst) => burst.emailId === emailId)
    .map(({ client, links, from, to, leaveVisits }) => ({
      client,
      links,
      after: [from, to].map((at) => (at.getTime() - HANDED_OFF.getTime()) / 1_000),
      left: leaveVisits.map((at) => (at.getTime() - HANDED_OFF.getTime()) / 1_000),
    }));

async function leave(emailId: string, at: number, ipAddress = '192.0.2.1'): Promise<boolean> {
  const visit = { workspaceId, emailId, ipAddress, at: new Date(HANDED_OFF.getTime() + at * 1_000) };
  return inTransaction(t.db, (tx) => noteLeaveVisit(tx, visit));
}

async function visitsOf(emailId: string): Promise<unknown[]> {
  const { rows } = await sql`select type from provider_events
    where workspace_id = ${workspaceId} and email_id = ${emailId} and type = 'leave'`.execute(t.db);
  return rows;
}

test('a burst is told in the round that judges it, with its client, its time and its links', async () => {
  const emailId = await sentEmail();
  await tell(emailId, ...LINKS.map((link, index) => ({ link, at: 60 + index })), { at: 61, ip: '203.0.113.9' });
  await applyProviderEvents(t.db);
  assert.deepEqual(toldOf(emailId), [{ client: clientOf('192.0.2.1'), links: LINKS, after: [60, 62], left: [] }]);
});

test('a round that fails tells nobody of its burst', async () => {
  const emailId = await sentEmail();
  await tell(emailId, ...LINKS.map((link) => ({ link })));
  await sql`alter table email_events add constraint fault check (email_id <> ${sql.lit(emailId)})`.execute(t.db);
  await assert.rejects(applyProviderEvents(t.db), /fault/);
  assert.deepEqual(toldOf(emailId), []);
  await sql`alter table email_events drop constraint fault`.execute(t.db);
  await applyProviderEvents(t.db);
  assert.equal(toldOf(emailId).length, 1);
});

test('the link to leave and another one are a burst; the visit is no event of the email', async () => {
  const emailId = await sentEmail();
  assert.equal(await leave(emailId, 60), false, 'nothing was known yet');
  await tell(emailId, { at: 64 });
  await applyProviderEvents(t.db);
  assert.deepEqual(await reasonsOf(emailId), ['burst']);
  assert.deepEqual(await countersOf(emailId), { opens: 0, clicks: 0, machineOpens: 0, machineClicks: 1 });
  assert.deepEqual(toldOf(emailId), [
    { client: clientOf('192.0.2.1'), links: ['https://a.test/'], after: [60, 64], left: [60] },
  ]);
});

test('leaving after another link was followed is a burst at once, and is recorded once', async () => {
  const emailId = await sentEmail();
  await tell(emailId, { at: 60 });
  for (let time = 0; time < 3; time += 1) assert.equal(await leave(emailId, 63 + time / 10), true);
  assert.equal((await visitsOf(emailId)).length, 1);
  await applyProviderEvents(t.db);
  assert.deepEqual(await reasonsOf(emailId), ['burst']);
});

test('a person who leaves 6 s after a click, or from elsewhere, is a person', async () => {
  const emailId = await sentEmail();
  await tell(emailId, { at: 60 });
  assert.equal(await leave(emailId, 66), false);
  assert.equal(await leave(emailId, 61, '203.0.113.9'), false);
  await applyProviderEvents(t.db);
  assert.deepEqual(await reasonsOf(emailId), [null]);
  assert.deepEqual(toldOf(emailId), []);
});

test('clicks are judged before a visit that is being noted or after it, never past it', async () => {
  const emailId = await sentEmail();
  await tell(emailId, { at: 60 });
  await inTransaction(t.db, async (tx) => {
    const at = new Date(HANDED_OFF.getTime() + 64_000);
    await noteLeaveVisit(tx, { workspaceId, emailId, ipAddress: '192.0.2.1', at });
    await applyProviderEvents(t.db);
    assert.deepEqual(await reasonsOf(emailId), [], 'its round passes over the email');
  });
  await applyProviderEvents(t.db);
  assert.deepEqual(await reasonsOf(emailId), ['burst']);
});

test('clicks are found by the index of keys, however many an email has', async () => {
  const emailId = await sentEmail();
  await tell(emailId, ...Array.from({ length: 2_000 }, (_, index) => ({ at: 60 + index })));
  await sql`analyze provider_events`.execute(t.db);
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain select 1 from provider_events k where k.workspace_id = ${workspaceId} and k.email_id = ${emailId}
      and k.semantic_key is not null and k.semantic_key >= ${clickKeyAt(HANDED_OFF)} and k.semantic_key < 'click 9'
     order by k.semantic_key limit 500`.execute(t.db);
  assert.match(JSON.stringify(rows), /provider_events_once/);
});
