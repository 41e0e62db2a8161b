import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type RawBuilder, sql } from 'kysely';
import { systemClock } from '#platform/clock.ts';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/database.ts';
import { until } from '../../../../../test/harness/until.ts';
import { createRecipientStore } from '../../compose/recipient-store.ts';
import { aWorkspace } from '../../test-kit.ts';
import type { Audience } from '../audience.ts';
import type { SendKey } from '../bulk-send.ts';
import { forgetStops } from '../stops/forget-stops.ts';
import { selectFreezing } from './freeze-queries.ts';
import { freezeSends } from './freeze-sends.ts';
import { bulkServices } from '../release/release-service.ts';
import { activeOf, aList, moveBulkSends, openSend, statusesOf } from '../test-kit.ts';

let t: TestDatabase;
let workspaceId: string;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());
beforeEach(async () => {
  await sql`truncate emails, send_requests, send_counts, contents, email_events, subscribers, audience_stops cascade`.execute(
    t.db,
  );
  workspaceId = await aWorkspace(t.db);
});

/** An audience that no feature has: people with numbers, kept in no table. The last digits of the id are the number. */
const idOf = (n: number): string => `00000000-0000-0000-0000-${String(n).padStart(12, '0')}`;
const numbers = (count: number): Audience => ({
  kind: 'numbers',
  page: (_of, afterwards, limit): RawBuilder<unknown> => sql`
    select n.recipient, null::text as recipient_name,
           ('00000000-0000-0000-0000-' || lpad(n.n::text, 12, '0'))::uuid as recipient_id, false as passed_over
      from (select g.n, 'n' || lpad(g.n::text, 6, '0') || '@example.com' as recipient
              from generate_series(1, ${count}::integer) as g (n)) n
     where ${afterwards === null ? sql`true` : sql`n.recipient > ${afterwards}`}
     order by n.recipient limit ${limit}`,
  loadRecipients: async (emails) =>
    new Map(emails.map(({ emailId, subscriberId }) => [emailId, { variables: { number: subscriberId }, headers: [] }])),
});
const readers: Audience = {
  kind: 'newsletter',
  page: (of, afterwards, limit) => activeOf(of.workspaceId, of.audienceId)(afterwards, limit),
  loadRecipients: async (emails) => new Map(emails.map(({ emailId }) => [emailId, { variables: {}, headers: [] }])),
};

const stop = (audienceId: string, ...ids: string[]) =>
  sql`select ph_stop_recipients(array_fill(${workspaceId}::uuid, array[${ids.length}::integer]),
    array_fill(${audienceId}::uuid, array[${ids.length}::integer]), ${ids}::uuid[])`.execute(t.db);
const letAgain = (audienceId: string, ...ids: string[]) =>
  sql`select ph_let_recipients(array_fill(${workspaceId}::uuid, array[${ids.length}::integer]),
    array_fill(${audienceId}::uuid, array[${ids.length}::integer]), ${ids}::uuid[])`.execute(t.db);

test('sends to audiences of two kinds are frozen side by side, each by whoever keeps it', async () => {
  const newsletterId = await aList(t.db, workspaceId, 25);
  const toReaders = await openSend(t.db, workspaceId, newsletterId);
  const toNumbers = await openSend(t.db, workspaceId, newId(), { kind: 'numbers' });
  assert.equal(await freezeSends(t.db, [readers, numbers(45)], () => true, 10), 70);
  assert.deepEqual(await statusesOf(t.db, toReaders), { pending: 25 });
  assert.deepEqual(await statusesOf(t.db, toNumbers), { pending: 45 });
  assert.deepEqual(await selectFreezing(t.db), []);
});

test('a broadcast is frozen and released with its own record, and of no newsletter', async () => {
  const [broadcastId, templateId] = [newId(), newId()];
  const origin = { source: 'broadcast', broadcastId, templateId } as const;
  const key = await openSend(t.db, workspaceId, newId(), { kind: 'numbers', origin });
  assert.equal(await freezeSends(t.db, [numbers(5)]), 5);
  await moveBulkSends({ db: t.db, ratePerSecond: 12 });
  assert.deepEqual(await statusesOf(t.db, key), { queued: 5 });
  const { rows } = await sql`
    select r.source, r.broadcast_id as "broadcastId", r.template_id as "templateId", r.newsletter_id as "newsletterId",
           r.issue_id as "issueId"
      from send_requests r where r.workspace_id = ${workspaceId} and r.id = ${key.sendId}`.execute(t.db);
  assert.deepEqual(rows, [{ ...origin, newsletterId: null, issueId: null }]);
});

test('it ends before the next page when the process ends', async () => {
  for (let sends = 0; sends < 2; sends += 1) await openSend(t.db, workspaceId, newId(), { kind: 'numbers' });
  let looks = 0;
  assert.equal(await freezeSends(t.db, [numbers(30)], () => ++looks <= 2, 10), 10);
});

test('a send to an audience that this process does not know waits for one that does', async () => {
  const key = await openSend(t.db, workspaceId, newId(), { kind: 'numbers' });
  assert.equal(await freezeSends(t.db, [readers]), 0);
  assert.deepEqual(await statusesOf(t.db, key), {});
  assert.equal(await freezeSends(t.db, [readers, numbers(3)]), 3);
});

test('a send that is opened in this process is frozen without waiting for the next look', async () => {
  const services = bulkServices({
    db: t.db,
    clock: systemClock,
    log: createLog({ level: 'silent' }),
    audiences: [numbers(8)],
    ratePerSecond: 12,
    everyMs: 3_600_000,
  });
  for (const service of services) await service.start();
  try {
    const key = await openSend(t.db, workspaceId, newId(), { kind: 'numbers' });
    await until('it is frozen', async () => ((await selectFreezing(t.db)).length === 0 ? true : undefined));
    await until('it is released', async () => ((await statusesOf(t.db, key)).queued === 8 ? true : undefined));
  } finally {
    for (const service of services) await service.stop();
  }
});

test('the personal part of an email is loaded by whoever keeps its audience, once for a page', async () => {
  const asked: string[] = [];
  const loaderOf = (kind: string) => ({
    kind,
    loadRecipients: (async (emails) => {
      asked.push(`${kind} ${emails.map(({ emailId, recipient }) => `${emailId} of ${recipient}`).join(' ')}`);
      return new Map(emails.map(({ emailId }) => [emailId, { variables: { kind }, headers: [] }]));
    }) satisfies Audience['loadRecipients'],
  });
  const store = createRecipientStore([loaderOf('numbers'), loaderOf('newsletter')]);
  const email = (id: string, audienceKind: string | null) => ({
    workspaceId,
    id,
    sendId: 's',
    contentId: 'c',
    audienceKind,
    subscriberId: 'r',
    recipient: `${id}@x.test`,
  });
  const page = [
    email('a', 'numbers'),
    email('b', 'newsletter'),
    email('c', 'numbers'),
    email('d', null),
    email('e', 'x'),
  ];
  store.expect(page);
  const loaded = await Promise.all(page.map((one) => store.recipientOf(one)));
  assert.deepEqual(
    loaded.map((one) => one?.variables['kind']),
    ['numbers', 'newsletter', 'numbers', undefined, undefined],
  );
  assert.deepEqual(asked, ['numbers a of a@x.test c of c@x.test', 'newsletter b of b@x.test']);
});

async function frozenNumbers(count: number): Promise<SendKey & { audienceId: string }> {
  const audienceId = newId();
  const key = await openSend(t.db, workspaceId, audienceId, { kind: 'numbers' });
  await freezeSends(t.db, [numbers(count)]);
  return { ...key, audienceId };
}

test('a stopped recipient is settled instead of queued, one who is let again is queued, others are not touched', async () => {
  const first = await frozenNumbers(6);
  const second = await frozenNumbers(6);
  await stop(first.audienceId, idOf(2), idOf(3), idOf(2));
  await letAgain(first.audienceId, idOf(3), idOf(5));
  await moveBulkSends({ db: t.db, ratePerSecond: 12 });
  assert.deepEqual(await statusesOf(t.db, first), { queued: 5, suppressed: 1 });
  assert.deepEqual(await statusesOf(t.db, second), { queued: 6 });
  const { rows } = await sql<{ recipient: string; error: string }>`
    select recipient, error from emails where workspace_id = ${workspaceId} and status = 'suppressed'`.execute(t.db);
  assert.deepEqual(rows, [{ recipient: 'n000002@example.com', error: 'unsubscribed' }]);
});

const stops = async (): Promise<number> =>
  (await sql<{ n: number }>`select count(*)::integer as n from audience_stops`.execute(t.db)).rows[0]?.n ?? -1;
const age = (hours: number) =>
  sql`update audience_stops set stopped_at = stopped_at - make_interval(hours => ${hours}::integer)`.execute(t.db);

test('a stop is kept as long as an email of a send from before it may leave, and goes when none may', async () => {
  const { sendId, audienceId } = await frozenNumbers(3);
  await stop(audienceId, idOf(1), idOf(99));
  // The send is older than the stops, which are older than any transaction.
  await sql`update send_requests set created_at = created_at - interval '5 hours'`.execute(t.db);
  await age(3);
  const later = await openSend(t.db, workspaceId, audienceId, { kind: 'numbers' });
  const ends = (set: RawBuilder<unknown>) =>
    sql`update emails set ${set} where workspace_id = ${workspaceId} and send_id = ${sendId}`.execute(t.db);
  const close = (id: string) =>
    sql`update send_requests set bulk_state = 'released' where workspace_id = ${workspaceId} and id = ${id}`.execute(
      t.db,
    );
  assert.equal(await forgetStops(t.db), 0, 'it is being released');
  await close(sendId);
  for (const status of ['pending', 'queued', 'deferred', 'sending', 'unconfirmed', 'failed']) {
    await ends(sql`status = ${status}`);
    assert.equal(await forgetStops(t.db), 0, `its emails are ${status}`);
  }
  await ends(sql`status = 'delivered'`);
  assert.equal(await forgetStops(t.db), 2, 'the later send is no reason to keep them');
  assert.equal(await stops(), 0);
  await close(later.sendId);
});

test('a stop of this hour is kept, whatever there is: its transaction may have begun before a send', async () => {
  await stop(newId(), idOf(1));
  assert.equal(await forgetStops(t.db), 0);
  await age(2);
  assert.equal(await forgetStops(t.db), 1);
});
