import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { publishWebhook, publishWebhooks } from '#features/webhooks';
import { inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

async function anEndpoint(
  workspaceId: string,
  given: { events?: string[]; newsletterIds?: string[]; domainIds?: string[]; enabled?: boolean } = {},
): Promise<string> {
  const id = newId();
  await sql`insert into webhooks (workspace_id, id, url, secret, events, newsletter_ids, domain_ids, enabled)
    values (${workspaceId}, ${id}, 'https://example.com', '\\x00', ${given.events ?? ['*']}::text[],
      ${given.newsletterIds ?? []}::uuid[], ${given.domainIds ?? []}::uuid[], ${given.enabled ?? true})`.execute(t.db);
  return id;
}

interface Stored {
  events: { id: string; type: string; payload: unknown }[];
  deliveries: { webhook_id: string; event_id: string; event_type: string; status: string }[];
}

async function stored(workspaceId: string): Promise<Stored> {
  const events = await sql<Stored['events'][number]>`
    select id, type, payload from workspace_events where workspace_id = ${workspaceId} order by id`.execute(t.db);
  const deliveries = await sql<Stored['deliveries'][number]>`
    select webhook_id, event_id, event_type, status from webhook_deliveries
     where workspace_id = ${workspaceId} order by event_id, webhook_id`.execute(t.db);
  return { events: events.rows, deliveries: deliveries.rows };
}

test('an event is recorded with a delivery to every endpoint that is enabled and subscribed', async () => {
  const workspaceId = await aWorkspace(t.db);
  const told = [
    await anEndpoint(workspaceId),
    await anEndpoint(workspaceId, { events: ['send', 'newsletter.issue.sent'] }),
  ];
  await anEndpoint(workspaceId, { events: ['send'] });
  await anEndpoint(workspaceId, { enabled: false });
  await anEndpoint(await aWorkspace(t.db));
  await publishWebhook(t.db, { workspaceId, type: 'newsletter.issue.sent', data: { newsletter: { slug: 'a' } } });
  const { events, deliveries } = await stored(workspaceId);
  assert.deepEqual(
    events.map(({ type, payload }) => ({ type, payload })),
    [{ type: 'newsletter.issue.sent', payload: { newsletter: { slug: 'a' } } }],
  );
  assert.deepEqual(
    deliveries,
    told.map((webhook_id) => ({
      webhook_id,
      event_id: events[0]?.id,
      event_type: 'newsletter.issue.sent',
      status: 'pending',
    })),
  );
});

test('an endpoint limited to newsletters or domains is told of those only', async () => {
  const workspaceId = await aWorkspace(t.db);
  const [newsletterId, otherNewsletter, domainId] = [newId(), newId(), newId()];
  const all = await anEndpoint(workspaceId);
  const ofNewsletter = await anEndpoint(workspaceId, { newsletterIds: [otherNewsletter, newsletterId] });
  const ofDomain = await anEndpoint(workspaceId, { domainIds: [domainId] });
  const ofBoth = await anEndpoint(workspaceId, { newsletterIds: [newsletterId], domainIds: [domainId] });
  const common = { workspaceId, type: 'newsletter.issue.sent', data: {} } as const;
  await publishWebhooks(t.db, [
    { ...common, newsletterId },
    { ...common, domainId },
    { ...common, newsletterId, domainId },
    { ...common, newsletterId: newId(), domainId: newId() },
    common,
  ]);
  const { events, deliveries } = await stored(workspaceId);
  assert.equal(events.length, 5);
  assert.deepEqual(
    events.map((event) => deliveries.filter((one) => one.event_id === event.id).map((one) => one.webhook_id)),
    [[all, ofNewsletter], [all, ofDomain], [all, ofNewsletter, ofDomain, ofBoth], [all], [all]],
  );
});

test('a rollback of the caller rolls back the webhook', async () => {
  const workspaceId = await aWorkspace(t.db);
  await anEndpoint(workspaceId);
  const undone = inTransaction(t.db, async (tx) => {
    await publishWebhook(tx, { workspaceId, type: 'domain.verified', data: {} });
    throw new Error('taken back');
  });
  await assert.rejects(undone, /taken back/);
  assert.deepEqual(await stored(workspaceId), { events: [], deliveries: [] });
  await publishWebhooks(t.db, []);
  assert.deepEqual(await stored(workspaceId), { events: [], deliveries: [] });
});
