/** Which endpoints hear of an email that was sent for a newsletter, from every statement that writes its events. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { acceptSend, type AcceptedSend, plainContent } from '#features/outbox';
import { parseMailbox } from '#mail/addresses/addresses.ts';
import { newId } from '#platform/ids.ts';
import { aWorkspace } from '../harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { emailEvents } from '../harness/email-events.ts';
import { replayAll } from '../../src/features/webhooks/deliveries/queries/replay.ts';
import { ensureBodies } from '../../src/features/webhooks/events/event-bodies.ts';
import { tellEvents } from '../../src/features/outbox/events/queries/tell-events.ts';

let t: TestDatabase;
let workspaceId: string;
const [newsletterId, otherNewsletter, issueId, domainId, otherDomain] = [newId(), newId(), newId(), newId(), newId()];
let endpoints: Record<'all' | 'mine' | 'mineAndOther' | 'other' | 'mineOfDomain' | 'mineOfOtherDomain', string>;
before(async () => {
  t = await createTestDatabase();
});
beforeEach(async () => {
  workspaceId = await aWorkspace(t.db);
  endpoints = {
    all: await anEndpoint([], []),
    mine: await anEndpoint([newsletterId], []),
    mineAndOther: await anEndpoint([otherNewsletter, newsletterId], []),
    other: await anEndpoint([otherNewsletter], []),
    mineOfDomain: await anEndpoint([newsletterId], [domainId]),
    mineOfOtherDomain: await anEndpoint([newsletterId], [otherDomain]),
  };
});
after(() => t.close());

async function anEndpoint(newsletterIds: string[], domainIds: string[]): Promise<string> {
  const id = newId();
  await sql`insert into webhooks (workspace_id, id, url, secret, events, newsletter_ids, domain_ids)
    values (${workspaceId}, ${id}, 'http://127.0.0.1:59999/', '\\x00', '{*}', ${newsletterIds}::uuid[], ${domainIds}::uuid[])`.execute(
    t.db,
  );
  return id;
}

/** Accepted alone or, `shared`, in one statement with another one. */
async function accept(origin?: AcceptedSend['origin'], shared = false): Promise<string> {
  const one = (of: AcceptedSend['origin']) =>
    acceptSend(
      { workspaceId, db: t.db },
      {
        source: of === undefined ? 'api' : 'confirmation',
        lane: 'transactional',
        content: plainContent({
          from: parseMailbox('news@posthorn.test'),
          domain: { domain: 'posthorn.test', domainId },
          subject: 'Hello',
          html: '<p>Hello</p>',
          text: null,
          attachments: [],
        }),
        recipients: [parseMailbox('ada@example.com')],
        expiresAt: null,
        sandbox: false,
        apiKey: null,
        takes: [],
        ...(of === undefined ? {} : { origin: of }),
      },
    );
  const [receipt] = await Promise.all(shared ? [one(origin), one(undefined), one(undefined)] : [one(origin)]);
  return receipt?.emails[0]?.id ?? '';
}

const toldOf = async (emailId: string, type: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select d.webhook_id as id from webhook_deliveries d
      join email_events v on v.workspace_id = d.workspace_id and v.id = d.event_id
     where d.workspace_id = ${workspaceId} and v.email_id = ${emailId} and d.event_type = ${type}`.execute(t.db);
  return rows.map((row) => row.id).toSorted();
};
const named = (...names: (keyof typeof endpoints)[]): string[] => names.map((name) => endpoints[name]).toSorted();
const hearing = (): string[] => named('all', 'mine', 'mineAndOther', 'mineOfDomain');

const deliver = (emailId: string) =>
  sql`with events as (
      insert into email_events (workspace_id, id, email_id, type, recipient, event_data)
      values (${workspaceId}, ph_uuidv7(), ${emailId}, 'delivery', 'ada@example.com', '{"delivery":{}}')
      returning workspace_id, id, email_id, type
    ), ${tellEvents}
    select 1`.execute(t.db);

for (const shared of [false, true]) {
  test(`accepting ${shared ? 'many at once' : 'one'} for a newsletter tells its endpoints, and no other limited one`, async () => {
    const emailId = await accept({ newsletterId, issueId, subscriberId: newId() }, shared);
    assert.deepEqual(await toldOf(emailId, 'send'), hearing());
    assert.deepEqual(await toldOf(await accept(undefined, shared), 'send'), named('all'));
    const { rows } = await sql`
      select r.newsletter_id = ${newsletterId} and r.issue_id = ${issueId} and e.subscriber_id is not null as kept
        from emails e join send_requests r on r.workspace_id = e.workspace_id and r.id = e.send_id
       where e.workspace_id = ${workspaceId} and e.id = ${emailId}`.execute(t.db);
    assert.deepEqual(rows, [{ kept: true }]);
  });
}

test('later events of the email tell the same endpoints', async () => {
  const [ofNewsletter, ofNone] = [await accept({ newsletterId }), await accept()];
  await deliver(ofNewsletter);
  await deliver(ofNone);
  assert.deepEqual(await toldOf(ofNewsletter, 'delivery'), hearing());
  assert.deepEqual(await toldOf(ofNone, 'delivery'), named('all'));
});

test('a replay of everything gives an endpoint what it would have been told', async () => {
  const emailId = await accept({ newsletterId });
  await accept({ newsletterId: otherNewsletter });
  await accept();
  await sql`delete from webhook_deliveries where workspace_id = ${workspaceId}`.execute(t.db);
  const range = {
    fromId: '00000000-0000-0000-0000-000000000000',
    untilId: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
    after: null,
    eventTypes: null,
    limit: 100,
  };
  const replay = async (name: keyof typeof endpoints) =>
    (await replayAll(t.db, emailEvents, { workspaceId, webhookId: endpoints[name] }, range)).queued;
  assert.deepEqual(
    [await replay('all'), await replay('mine'), await replay('mineAndOther'), await replay('mineOfOtherDomain')],
    [3, 1, 2, 0],
  );
  assert.deepEqual(await toldOf(emailId, 'send'), named('all', 'mine', 'mineAndOther'));
});

test('webhook events name the newsletter and the issue', async () => {
  const emailId = await accept({ newsletterId, issueId });
  const { rows } = await sql<{ id: string }>`
    select id from email_events where workspace_id = ${workspaceId} and email_id = ${emailId}`.execute(t.db);
  const eventId = rows[0]?.id ?? '';
  const body =
    (await ensureBodies({ db: t.db, emailEvents }, [{ workspaceId, eventId }])).get(`${workspaceId} ${eventId}`) ?? '';
  assert.partialDeepStrictEqual(JSON.parse(body), {
    type: 'send',
    email: { source: 'confirmation', newsletter_id: newsletterId, issue_id: issueId },
  });
});
