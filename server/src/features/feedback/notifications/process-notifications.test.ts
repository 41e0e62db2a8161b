import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { systemClock } from '#platform/clock.ts';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import { anEmail, aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import {
  asIdentityNotification,
  bounceEvent,
  clickEvent,
  complaintEvent,
  deliveryEvent,
  openEvent,
  type SesMail,
} from '../../../../test/harness/ses-payloads.ts';
import { until } from '../../../../test/harness/until.ts';
import { feedbackService } from '../feedback-service.ts';
import { forgetOld } from '../forget-old.ts';
import type { ReadOne } from './notification.ts';
import { processNotifications } from './process-notifications.ts';
import { readSesNotification } from './read-ses-notification.ts';
import { storeNotification } from './store-notification.ts';

let t: TestDatabase;
let workspaceId: string;
const logged: Record<string, unknown>[] = [];
const outcomes: string[] = [];
const log = createLog({ level: 'warn', destination: { write: (line) => void logged.push(JSON.parse(line)) } });
const ignoring: ReadOne = async () => ({ kind: 'ignored', note: 'of no concern here' });
const readers = { ses: readSesNotification, mail: ignoring };
const work = () => ({
  db: t.db,
  clock: systemClock,
  log,
  readers,
  onOutcome: (source: string, outcome: string) => void outcomes.push(`${source} ${outcome}`),
});
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());
beforeEach(async () => {
  await sql`delete from provider_notifications`.execute(t.db);
  workspaceId = await aWorkspace(t.db);
  logged.length = 0;
  outcomes.length = 0;
});

const store = (message: unknown, id: string = newId()): Promise<boolean> =>
  storeNotification(t.db, {
    source: 'ses',
    id,
    topic: 'arn:aws:sns:us-east-1:123456789012:posthorn',
    body: Buffer.from(JSON.stringify({ Message: typeof message === 'string' ? message : JSON.stringify(message) })),
    envelopeTo: null,
  });
/** Everything that waits is due. */
const makeDue = (agoHours = 0): Promise<unknown> =>
  sql`update provider_notifications set next_try_at = now() - interval '1 second',
    received_at = received_at - make_interval(hours => ${agoHours}::integer) where processed_at is null`.execute(t.db);
const runOnce = (): Promise<number> => feedbackService(work()).runOnce();

const notifications = async () => {
  const { rows } = await sql<{ outcome: string | null; note: string | null; tries: number; waits: number }>`
    select outcome, note, tries, extract(epoch from next_try_at - clock_timestamp())::double precision as waits
      from provider_notifications order by received_at, id`.execute(t.db);
  return rows;
};
const eventsOf = async (emailId: string) => {
  const { rows } = await sql<{ type: string; recipient: string; data: Record<string, Record<string, unknown>> }>`
    select type, recipient, event_data as data from email_events
     where workspace_id = ${workspaceId} and email_id = ${emailId} order by at, recipient`.execute(t.db);
  return rows;
};
const emailOf = async (emailId: string) => {
  const { rows } = await sql<Record<string, unknown>>`
    select status, provider_message_id, open_count, click_count, delivered_at from emails
     where workspace_id = ${workspaceId} and id = ${emailId}`.execute(t.db);
  return rows[0];
};
const suppressed = async (): Promise<string[]> => {
  const { rows } = await sql<{ email: string }>`
    select email from suppressions where workspace_id = ${workspaceId} order by email`.execute(t.db);
  return rows.map((row) => row.email);
};

async function sent(more: { recipient?: string; status?: string; messageId?: string | null } = {}) {
  const recipient = more.recipient ?? 'ada@example.com';
  const handoffAt = new Date(Date.now() - 60_000);
  const { emailId } = await anEmail(t.db, workspaceId, {
    status: more.status ?? 'sent',
    attempts: 1,
    recipient,
    handoffAt,
    sentAt: handoffAt,
  });
  const messageId = more.messageId === undefined ? newId() : more.messageId;
  await sql`update emails set provider_message_id = ${messageId}
    where workspace_id = ${workspaceId} and id = ${emailId}`.execute(t.db);
  const mail: SesMail = {
    messageId: messageId ?? newId(),
    workspaceId,
    emailId,
    destination: [recipient],
    sentAt: new Date(Date.now() - 200_000),
  };
  return { emailId, mail };
}

const group = (emailId: string, ...addresses: string[]): Promise<unknown> => {
  const [to = [], cc = [], bcc = []] = addresses.map((address) => [{ address, name: null }]);
  return sql`update emails set grouped = ${JSON.stringify({ to, cc, bcc })}::jsonb
    where workspace_id = ${workspaceId} and id = ${emailId}`.execute(t.db);
};

test('a stored notification takes effect at once in its own process: the email, its events, the suppression', async (context) => {
  // Not by a poll: none comes.
  context.mock.timers.enable({ apis: ['setInterval'] });
  const { emailId, mail } = await sent();
  const service = feedbackService(work());
  await service.start();
  const applied = service.moments.applied.next();
  assert.equal(await store(bounceEvent(mail)), true);
  await applied;
  await service.stop();
  assert.equal((await emailOf(emailId))?.['status'], 'bounced');
  assert.deepEqual(
    (await eventsOf(emailId)).map((event) => event.type),
    ['bounce'],
  );
  assert.deepEqual(await suppressed(), ['ada@example.com']);
  assert.deepEqual(outcomes, ['ses applied']);
});

test('the same notification 46 times, on two processes at once, has one effect', async () => {
  const { emailId, mail } = await sent();
  const services = [feedbackService(work()), feedbackService(work())];
  const message = complaintEvent(mail);
  const news = await Promise.all(
    Array.from({ length: 46 }, async (_, n) => {
      const isNew = await store(message, `sns-${mail.messageId}`);
      await services[n % 2]?.runOnce();
      return isNew;
    }),
  );
  assert.equal(news.filter(Boolean).length, 1);
  assert.equal((await eventsOf(emailId)).length, 1);
  assert.equal((await notifications()).length, 1);
});

test('the same event under other numbers, from a second topic say, has one effect', async () => {
  const { emailId, mail } = await sent();
  for (const event of [bounceEvent(mail), openEvent(mail), clickEvent(mail), deliveryEvent(mail)]) {
    for (let n = 0; n < 3; n += 1) {
      await store(event);
      await runOnce();
    }
  }
  await sql`update provider_events set not_before = null where workspace_id = ${workspaceId}`.execute(t.db);
  await runOnce();
  assert.equal((await eventsOf(emailId)).length, 4);
});

test('an event of an unknown email, or of another workspace, is parked for a day and changes nothing', async () => {
  const { emailId, mail } = await sent();
  const strangers: SesMail[] = [
    { ...mail, emailId: newId() },
    { ...mail, workspaceId: newId() },
    { ...mail, workspaceId: await aWorkspace(t.db) },
  ];
  for (const stranger of strangers) await store(complaintEvent(stranger));
  for (const [round, seconds] of [1, 5, 30, 300, 3_600, 3_600, 3_600].entries()) {
    await makeDue();
    const startedMs = performance.now();
    await runOnce();
    const parked = await notifications();
    const passed = (performance.now() - startedMs) / 1_000;
    assert.ok(parked.every(({ outcome, tries }) => outcome === null && tries === round + 1));
    // From some moment of the round on, which may have taken its time; a tenth of a second is for the two clocks.
    for (const { waits } of parked) assert.ok(waits <= seconds + 0.1 && waits + passed >= seconds - 0.1, `${waits} s`);
  }
  assert.deepEqual(logged, []);

  await makeDue(25);
  await runOnce();
  assert.deepEqual(new Set((await notifications()).map(({ outcome }) => outcome)), new Set(['unmatched']));
  assert.equal(logged.length, 1, 'one line for the page');
  assert.partialDeepStrictEqual(logged[0], { level: 'warn', count: 3 });
  assert.ok(!JSON.stringify(logged).includes('@'));
  assert.deepEqual(outcomes, ['ses unmatched', 'ses unmatched', 'ses unmatched']);
  await makeDue();
  assert.equal(await runOnce(), 0);
  assert.deepEqual(await eventsOf(emailId), []);
  assert.deepEqual(await suppressed(), []);
});

test('an event that beat its email is applied once the email is there', async () => {
  const { emailId, mail } = await sent();
  await store(deliveryEvent({ ...mail, emailId: newId() })); // parked beside it, and in nobody's way
  await sql`update emails set id = ${newId()} where workspace_id = ${workspaceId} and id = ${emailId}`.execute(t.db);
  await store(bounceEvent(mail));
  await runOnce();
  assert.deepEqual(await suppressed(), []);
  await sql`update emails set id = ${emailId} where workspace_id = ${workspaceId}`.execute(t.db);
  await makeDue();
  await runOnce();
  assert.equal((await emailOf(emailId))?.['status'], 'bounced');
  assert.deepEqual((await notifications()).map(({ outcome }) => outcome).sort(), ['applied', null]);
});

test('an event of a deleted workspace is taken, parked and given up', async () => {
  const { mail } = await sent();
  await sql`delete from emails where workspace_id = ${workspaceId}`.execute(t.db);
  await sql`delete from workspaces where id = ${workspaceId}`.execute(t.db);
  await store(bounceEvent(mail));
  await runOnce();
  assert.deepEqual(
    (await notifications()).map(({ outcome }) => outcome),
    [null],
  );
  await makeDue(25);
  await runOnce();
  assert.deepEqual(
    (await notifications()).map(({ outcome }) => outcome),
    ['unmatched'],
  );
});

test('an event of another message than the one that left changes nothing, before and after we know its number', async () => {
  const known = await sent();
  await store(complaintEvent({ ...known.mail, messageId: 'another' }));
  const unknown = await sent({ status: 'sending', messageId: null });
  await runOnce();
  assert.deepEqual(
    (await notifications()).map(({ outcome }) => outcome),
    [null],
    'it is parked',
  );
  await store(complaintEvent({ ...unknown.mail, messageId: 'another' }));
  await runOnce();
  await sql`update emails set status = 'sent', provider_message_id = 'its-own'
    where workspace_id = ${workspaceId} and id = ${unknown.emailId}`.execute(t.db);
  await makeDue();
  await runOnce();
  for (const { emailId } of [known, unknown]) {
    assert.equal((await emailOf(emailId))?.['status'], 'sent');
    assert.deepEqual(await eventsOf(emailId), []);
  }
  assert.deepEqual(await suppressed(), []);
});

test('an email that may have been handed over twice has two numbers, and events of both count', async () => {
  const { emailId, mail } = await sent();
  await sql`insert into email_attempts (workspace_id, id, email_id, attempt, started_at, ended_at, outcome)
    values (${workspaceId}, ${newId()}, ${emailId}, 1, now(), now(), 'resent')`.execute(t.db);
  await store(deliveryEvent({ ...mail, messageId: 'the-first-copy' }));
  await runOnce();
  assert.equal((await emailOf(emailId))?.['status'], 'delivered');
});

test('an unconfirmed email is settled by its event, and learns its number from it', async () => {
  const { emailId, mail } = await sent({ status: 'unconfirmed', messageId: null });
  await store(deliveryEvent(mail));
  await runOnce();
  assert.partialDeepStrictEqual(await emailOf(emailId), { status: 'delivered', provider_message_id: mail.messageId });
});

test('an event that comes while its email is being handed over waits, and is applied when that is recorded', async () => {
  const { emailId, mail } = await sent({ status: 'sending', messageId: null });
  await store(deliveryEvent(mail));
  await runOnce();
  assert.equal((await emailOf(emailId))?.['status'], 'sending');
  await sql`update emails set status = 'sent', provider_message_id = ${mail.messageId}
    where workspace_id = ${workspaceId} and id = ${emailId}`.execute(t.db);
  await runOnce();
  assert.equal((await emailOf(emailId))?.['status'], 'delivered');
});

test('a notification without tags finds its email by the message id, and never guesses between two', async () => {
  const { emailId, mail } = await sent();
  await store(asIdentityNotification(bounceEvent(mail)));
  await runOnce();
  assert.equal((await emailOf(emailId))?.['status'], 'bounced');
  const first = await sent({ messageId: 'shared', recipient: 'bob@example.com' });
  await sent({ messageId: 'shared', recipient: 'bob@example.com' });
  await store(asIdentityNotification(bounceEvent(first.mail)));
  await runOnce();
  assert.equal((await emailOf(first.emailId))?.['status'], 'sent');
  assert.deepEqual(await suppressed(), ['ada@example.com']);
});

test('a complaint that names several of one domain concerns only the one this private copy went to', async () => {
  const { emailId, mail } = await sent();
  const named = ['bob@example.com', 'Ada@Example.com', 'eve@example.com'];
  await store(complaintEvent(mail, { complainedRecipients: named.map((emailAddress) => ({ emailAddress })) }));
  await runOnce();
  const [event, ...more] = await eventsOf(emailId);
  assert.deepEqual(more, []);
  assert.equal(event?.recipient, 'ada@example.com');
  assert.deepEqual(await suppressed(), ['ada@example.com']);
});

test('a complaint that names only others is about the recipient of the private copy, and says nothing of the others', async () => {
  const { emailId, mail } = await sent();
  const named = ['bob@example.com', 'eve@example.com'];
  await store(complaintEvent(mail, { complainedRecipients: named.map((emailAddress) => ({ emailAddress })) }));
  await runOnce();
  const events = await eventsOf(emailId);
  assert.deepEqual(
    events.map(({ recipient, data }) => [recipient, data['complaint']?.['complainedRecipients']]),
    [['ada@example.com', [{ emailAddress: 'ada@example.com' }]]],
  );
  assert.deepEqual(await suppressed(), ['ada@example.com']);
});

test('of a grouped message only those are meant that are named and were written to', async () => {
  const { emailId, mail } = await sent();
  await group(emailId, 'Ada@example.com', 'bob@example.com', 'eve@example.com');
  const named = ['BOB@example.com', '"Eve" <eve@example.com>', 'stranger@example.com'];
  await store(complaintEvent(mail, { complainedRecipients: named.map((emailAddress) => ({ emailAddress })) }));
  await store(bounceEvent(mail, { bouncedRecipients: [{ emailAddress: 'stranger@example.com' }] }));
  await store(openEvent({ ...mail, destination: [] }));
  await runOnce();
  assert.deepEqual(await suppressed(), ['bob@example.com', 'eve@example.com']);
  assert.deepEqual((await eventsOf(emailId)).map(({ type, recipient }) => [type, recipient]).sort(), [
    ['complaint', 'bob@example.com'],
    ['complaint', 'eve@example.com'],
    ['open', 'ada@example.com'],
  ]);
  const unmatched = (await notifications()).filter(({ outcome }) => outcome === 'unmatched');
  assert.deepEqual(
    unmatched.map(({ note }) => note),
    ['it names no recipient of the email'],
  );
});

test('an unreadable notification is kept, counted and logged without personal data, and delays no other', async () => {
  const { emailId, mail } = await sent();
  await store('ada@example.com wrote this');
  await store({ ...bounceEvent(mail), bounce: 7 });
  await storeNotification(t.db, { source: 'ses', id: newId(), topic: null, body: Buffer.from('{'), envelopeTo: null });
  await store(deliveryEvent(mail));
  await runOnce();
  assert.equal((await emailOf(emailId))?.['status'], 'delivered');
  assert.deepEqual(outcomes.toSorted(), ['ses applied', 'ses malformed', 'ses malformed', 'ses malformed']);
  assert.deepEqual((await notifications()).map(({ outcome }) => outcome).sort(), [
    'applied',
    'malformed',
    'malformed',
    'malformed',
  ]);
  assert.ok(logged.length >= 1 && !JSON.stringify(logged).includes('ada'));
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from provider_notifications where outcome = 'malformed' and body <> ''`.execute(t.db);
  assert.equal(rows[0]?.n, 3);
});

test('one that the database refuses waits alone, and is given up as malformed after a day', async () => {
  const emails = await Promise.all([sent(), sent(), sent()]);
  // Names a state that the column refuses, so that the whole statement of the page fails.
  const poisoning: ReadOne = async (notification) => {
    const told = await readSesNotification(notification);
    if (told.kind !== 'events' || notification.id !== 'poison') return told;
    return { kind: 'events', events: told.events.map((event) => ({ ...event, payload: { bad: '\u0000' } })) };
  };
  const poisoned = { ...work(), readers: { ses: poisoning, mail: ignoring } };
  await store(bounceEvent(emails[0]!.mail)); // three were made
  await store(bounceEvent(emails[1]!.mail), 'poison'); // three were made
  await store(bounceEvent(emails[2]!.mail)); // three were made
  const service = feedbackService(poisoned);
  await service.runOnce();
  const states = async () => Promise.all(emails.map(async ({ emailId }) => (await emailOf(emailId))?.['status']));
  assert.deepEqual(await states(), ['bounced', 'sent', 'bounced']);
  assert.deepEqual((await notifications()).map(({ outcome }) => outcome).toSorted(), ['applied', 'applied', null]);
  await makeDue(25);
  await service.runOnce();
  assert.deepEqual((await notifications()).map(({ outcome }) => outcome).toSorted(), [
    'applied',
    'applied',
    'malformed',
  ]);
});

test('times of 1970 and 2100 hold nothing up and give the email no such time', async () => {
  for (const timestamp of ['1970-01-01T00:00:00.000Z', '2100-01-01T00:00:00.000Z', undefined]) {
    const { emailId, mail } = await sent();
    await store(deliveryEvent(mail, { timestamp }));
    await runOnce();
    const email = await emailOf(emailId);
    assert.equal(email?.['status'], 'delivered', String(timestamp));
    assert.ok(
      email['delivered_at'] instanceof Date && Math.abs(email['delivered_at'].getTime() - Date.now()) < 300_000,
    );
  }
});

test('a link that is followed without end fills no table: at most 1,000 opens and 1,000 clicks of an email', async () => {
  const { emailId, mail } = await sent();
  const started = Date.now() - 150_000;
  for (let n = 0; n < 1_300; n += 1) void store(openEvent(mail, { timestamp: new Date(started + n).toISOString() }));
  await store(deliveryEvent(mail));
  while ((await processNotifications(work())).seen > 0) await runOnce();
  await runOnce();
  const events = await eventsOf(emailId);
  assert.equal(events.filter(({ type }) => type === 'open').length, 1_000);
  const { rows } = await sql<{ counted: number; told: number }>`
    select open_count + machine_open_count as counted,
           (select count(*)::integer from provider_events p where p.workspace_id = e.workspace_id and p.email_id = e.id
               and p.type = 'open') as told
      from emails e where workspace_id = ${workspaceId} and id = ${emailId}`.execute(t.db);
  assert.equal(rows[0]?.counted, 1_000);
  assert.equal((await emailOf(emailId))?.['status'], 'delivered');
  // Once the bound is reached they are not even stored, nor are their bodies kept.
  const before = rows[0]?.told ?? 0;
  await store(openEvent(mail, { timestamp: new Date(started - 5_000).toISOString() }));
  await runOnce();
  const { rows: later } = await sql<{ told: number }>`
    select count(*)::integer as told from provider_events
     where workspace_id = ${workspaceId} and email_id = ${emailId} and type = 'open'`.execute(t.db);
  assert.equal(later[0]?.told, before);
  const { rows: emptied } = await sql<{ n: number }>`
    select count(*)::integer as n from provider_notifications where outcome = 'ignored' and body = ''`.execute(t.db);
  assert.ok((emptied[0]?.n ?? 0) >= 1);
});

test('5,000 notifications at once are stored and applied, none twice and none lost', async () => {
  const emails = await Promise.all(Array.from({ length: 100 }, (_, n) => sent({ recipient: `p${n}@example.com` })));
  const services = [feedbackService(work()), feedbackService(work())];
  await Promise.all(services.map((service) => service.start()));
  const started = Date.now() - 150_000;
  await Promise.all(
    Array.from(
      { length: 5_000 },
      (_, n) => store(openEvent(emails[n % 100]!.mail, { timestamp: new Date(started + n).toISOString() })), // a hundred were made
    ),
  );
  const counted = async (): Promise<number> => {
    const { rows } = await sql<{ n: number }>`
      select sum(open_count + machine_open_count)::integer as n from emails where workspace_id = ${workspaceId}`.execute(
      t.db,
    );
    return rows[0]?.n ?? 0;
  };
  await until('all of them', async () => (await counted()) >= 5_000 || undefined);
  await Promise.all(services.map((service) => service.stop()));
  assert.equal(await counted(), 5_000);
});

test('raw bodies are gone after a week, numbers after a month, applied events after a month', async () => {
  const { emailId, mail } = await sent();
  for (const id of ['young', 'week', 'month']) await store(deliveryEvent(mail), id);
  await store(bounceEvent({ ...mail, emailId: newId() }), 'waiting');
  await runOnce();
  for (const [id, days] of [
    ['young', 6],
    ['week', 8],
    ['month', 32],
    ['waiting', 32],
  ] as const) {
    await sql`update provider_notifications set received_at = now() - make_interval(days => ${days}::integer)
      where id = ${id}`.execute(t.db);
  }
  const old = (days: number): string =>
    (Date.now() - days * 86_400_000).toString(16).padStart(12, '0').replace(/^.{8}/, '$&-') + newId().slice(13);
  const row = (id: string, isApplied: boolean) =>
    sql`
    insert into provider_events (workspace_id, id, email_id, type, recipient, payload, applied_at)
    values (${workspaceId}, ${id}, ${emailId}, 'send', 'x', '{}', ${isApplied ? new Date() : null})`.execute(t.db);
  await row(old(31), true);
  await row(old(29), true);
  await row(old(31), false);
  await forgetOld(t.db, () => true);
  const { rows } = await sql<{ id: string; size: number }>`
    select id, octet_length(body) as size from provider_notifications order by id`.execute(t.db);
  assert.deepEqual(
    rows.map(({ id, size }) => [id, size > 0]),
    [
      ['waiting', true],
      ['week', false],
      ['young', true],
    ],
  );
  const { rows: events } = await sql<{ n: number }>`
    select count(*)::integer as n from provider_events where workspace_id = ${workspaceId} and type = 'send'`.execute(
    t.db,
  );
  assert.equal(events[0]?.n, 2);
  assert.equal((await emailOf(emailId))?.['status'], 'delivered');
});

test('bodies are emptied page by page; a step that fails keeps no other step from its work, and is told', async () => {
  await sql`insert into provider_notifications (source, id, body, received_at, processed_at)
    select 'ses', 'page' || n, 'x', now() - interval '8 days' - n / 3 * interval '1 second', now()
      from generate_series(1, 2500) as n`.execute(t.db);
  const withBody = async () =>
    (await sql<{ n: number }>`select count(*)::integer as n from provider_notifications where body <> ''`.execute(t.db))
      .rows[0]?.n;
  await sql`insert into bulk_health (workspace_id, send_id)
    values (${workspaceId}, '01900000-0000-7000-8000-000000000000')`.execute(t.db);
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`.execute(
    t.db,
  );
  await sql`create trigger refuse before update on provider_notifications for each row execute function refuse()`.execute(
    t.db,
  );
  await assert.rejects(
    forgetOld(t.db, () => true),
    /a step of forgetting failed/,
  );
  const { rows } = await sql`select 1 from bulk_health where workspace_id = ${workspaceId}`.execute(t.db);
  assert.deepEqual([await withBody(), rows.length], [2_500, 0]);
  await sql`drop trigger refuse on provider_notifications`.execute(t.db);
  await forgetOld(t.db, () => true);
  assert.equal(await withBody(), 0);
});
