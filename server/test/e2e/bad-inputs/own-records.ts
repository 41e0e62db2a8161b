/** Records of the home workspace, one for every path parameter of the API that can be made without a worker. */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { TEST_ADMIN, type TestApp } from '../../harness/app.ts';
import { anEmail, anImage, anInbound, aPendingDomain } from '../../harness/builders.ts';

/** An id that exists, by the name of the path parameter and the operation (`DELETE /v1/things/{id}`) it fits. */
export interface OwnRecord {
  start: RegExp;
  name: string;
  id: string;
}

/** `url` is where webhooks are posted to. */
export async function makeOwnRecords(app: TestApp, url: string): Promise<OwnRecord[]> {
  const { workspaceId, db } = app;
  const token = await signInTo(app);
  const made = async (url: string, body?: unknown, key = token): Promise<any> =>
    (await app.request({ url, key, ...(body === undefined ? {} : { body }) })).body;
  const email = { from: 'Acme <hello@posthorn.test>', to: 'ada@example.com', subject: 'Hello', text: 'Hello' };
  const spare = await made('/v1/api-keys', { name: 'spare', scopes: ['*'] });
  const doomed = await made('/v1/api-keys', { name: 'doomed', scopes: ['*'] });
  const sent = await made('/v1/send', email);
  const batch = await made('/v1/batch', [email]);
  const invite = await made(`/workspaces/${workspaceId}/invites`, { email: 'guest@example.com', role: 'viewer' });
  const unconfirmed = await anEmail(db, workspaceId, { status: 'unconfirmed' });
  const other = await anEmail(db, workspaceId, { status: 'unconfirmed' });
  const failed = await anEmail(db, workspaceId, { status: 'failed' });
  const { user } = await made('/auth/login', TEST_ADMIN, '');
  const webhook = await made('/v1/webhooks', { url, events: ['*'] });
  const template = await made('/v1/templates', { name: 'Hello', text: 'Hello' });
  const aTemplate = async (): Promise<string> => (await made('/v1/templates', { name: 'Doomed', text: 'Hello' })).id;
  const contact = await made('/v1/contacts', { email: 'contact@example.com' });
  const list = await made('/v1/lists', { name: 'List' });
  const filter = { match: 'all', conditions: [{ field: 'email', op: 'is_set' }] };
  const segment = await made('/v1/segments', { name: 'Segment', filter });
  const doomedSegment = await made('/v1/segments', { name: 'Doomed', filter });
  const bulkJob = await made('/v1/contacts/bulk', { filter, action: { type: 'unsubscribe' } });
  const doomedList = await made('/v1/lists', { name: 'Doomed' });
  const doomedContact = await made('/v1/contacts', { email: 'doomed-contact@example.com' });
  const aBroadcast = async (): Promise<string> =>
    (
      await made('/broadcasts', {
        name: 'Sale',
        from: 'hello@posthorn.test',
        subject: 'Hello',
        html: '<p>Hello</p>',
        audience: { contact_ids: [contact.id] },
      })
    ).id;
  const aScheduledBroadcast = async (): Promise<string> => {
    const id = await aBroadcast();
    await sql`update broadcasts set status = 'scheduled', scheduled_for = now() + interval '1 day'
      where workspace_id = ${workspaceId} and id = ${id}`.execute(db);
    return id;
  };
  const anAutomation = async (): Promise<string> =>
    (
      await made('/v1/automations', {
        name: 'Hello',
        trigger: { type: 'api' },
        steps: [{ key: 'wait', type: 'delay', config: { duration: '300 days' } }],
      })
    ).id;
  const ranAutomation = await anAutomation();
  await made(`/v1/automations/${ranAutomation}/enable`, {});
  const automationRun = await made(`/v1/automations/${ranAutomation}/runs`, { email: 'ran@example.com' });
  const doomedWebhook = await made('/v1/webhooks', { url, events: ['*'] });
  const { event_id: eventId } = await firstEvent(app);
  const deliveryId = newId();
  await sql`insert into webhook_deliveries (workspace_id, id, webhook_id, event_id, event_type, status, next_attempt_at)
    values (${workspaceId}, ${deliveryId}, ${webhook.id}, ${eventId}, 'send', 'failed', null)`.execute(db);
  await made('/v1/suppressions', { email: 'out@example.com' });
  await made('/v1/suppressions', { email: 'back@example.com' });
  const newsletter = await made('/v1/newsletters', {
    name: 'Weekly',
    slug: 'weekly',
    from_email: 'news@posthorn.test',
  });
  const doomedNewsletter = await made('/v1/newsletters', { name: 'Doomed', slug: 'doomed' });
  await sql`update newsletters set confirmations_paused_at = now() where workspace_id = ${workspaceId}`.execute(db);
  await made('/v1/newsletters', { name: 'Public', slug: 'public' });
  const deletedId = newId();
  await sql`insert into deleted_lists (workspace_id, id, name, deleted_at)
    values (${workspaceId}, ${deletedId}, 'Deleted', now())`.execute(db);
  const ofNewsletter = `/v1/newsletters/${newsletter.id}`;
  const anIssue = async (): Promise<string> =>
    (await made(`${ofNewsletter}/issues`, { subject: 'Hello', html_body: '<p>Hello</p>' })).id;
  const inState = async (status: string): Promise<string> => {
    const id = await anIssue();
    await sql`update issues set status = ${status}, scheduled_for = now() + interval '1 day'
      where workspace_id = ${workspaceId} and id = ${id}`.execute(db);
    return id;
  };
  const aSubscriber = async (name: string): Promise<string> =>
    (await made(`${ofNewsletter}/subscribers`, { email: `${name}@example.com` })).id;
  const exported = await made('/v1/exports', {
    resource: 'subscribers',
    filters: { newsletter_id: newsletter.id },
  });
  const receiving = await aPendingDomain(db, workspaceId, 'receiving.test');
  const receivedId = await anInbound(db, workspaceId, { domainId: receiving });
  const aScheduled = async (): Promise<string> =>
    (
      await made('/scheduled', {
        from: 'hello@posthorn.test',
        to: 'ada@example.com',
        subject: 'Later',
        text: 'Hello',
        scheduled_for: 'in 300 days',
      })
    ).id;
  return [
    { start: /^DELETE \/scheduled\//, name: 'id', id: await aScheduled() },
    { start: /^DELETE \/v1\/scheduled\//, name: 'id', id: await aScheduled() },
    { start: /\/scheduled\//, name: 'id', id: await aScheduled() },
    { start: /^DELETE .*images/, name: 'id', id: await anImage(db, workspaceId, 'doomed.png') },
    { start: /v1\/inbound\//, name: 'id', id: receivedId },
    { start: /images/, name: 'id', id: await anImage(db, workspaceId, 'logo.png') },
    { start: /^DELETE .*issueId/, name: 'issueId', id: await anIssue() },
    { start: /issueId\}\/send$/, name: 'issueId', id: await anIssue() },
    { start: /issueId\}\/schedule$/, name: 'issueId', id: await anIssue() },
    { start: /issueId\}\/cancel$/, name: 'issueId', id: await inState('scheduled') },
    { start: /issueId/, name: 'issueId', id: await anIssue() },
    { start: /^DELETE .*subscriberId/, name: 'subscriberId', id: await aSubscriber('doomed') },
    { start: /subscriberId\}\/unsubscribe/, name: 'subscriberId', id: await aSubscriber('leaver') },
    { start: /subscriberId/, name: 'subscriberId', id: await aSubscriber('stayer') },
    { start: /\/v1\/exports\//, name: 'id', id: exported.id },
    { start: /\/api\/n\//, name: 'slug', id: 'public' },
    { start: /^DELETE \/v1\/newsletters\/\{id\}$/, name: 'id', id: doomedNewsletter.id },
    { start: /\/v1\/deleted-newsletters/, name: 'id', id: deletedId },
    { start: /\/v1\/newsletters/, name: 'id', id: newsletter.id },
    { start: /^DELETE .*api-keys/, name: 'id', id: doomed.id },
    { start: /api-keys/, name: 'id', id: spare.id },
    { start: /rate-limits/, name: 'apiKeyId', id: spare.id },
    { start: /\/v1\/send\//, name: 'jobId', id: sent.jobId },
    { start: /\/v1\/batch\//, name: 'id', id: batch.batchId },
    { start: /send-again/, name: 'id', id: unconfirmed.emailId },
    { start: /treat-as-sent/, name: 'id', id: other.emailId },
    { start: /emails.*resend/, name: 'id', id: failed.emailId },
    { start: /\/v1\/(?:emails|records)\//, name: 'id', id: sent.emails[0].id },
    { start: /invites/, name: 'inviteId', id: invite.id },
    { start: /members/, name: 'userId', id: user.id },
    { start: /sessions/, name: 'id', id: (await made('/auth/sessions')).data[0].id },
    { start: /v1\/requests/, name: 'id', id: (await made('/v1/requests')).data[0].id },
    { start: /workspaces/, name: 'id', id: workspaceId },
    { start: /^DELETE \/v1\/domains\/\{id\}$/, name: 'id', id: await aPendingDomain(db, workspaceId, 'doomed.test') },
    { start: /\/(?:v1|cloud)[/-]domains/, name: 'id', id: await aPendingDomain(db, workspaceId, 'own.test') },
    { start: /^DELETE \/v1\/templates/, name: 'id', id: await aTemplate() },
    { start: /^DELETE .*templates/, name: 'id', id: await aTemplate() },
    { start: /^DELETE .*\/segments/, name: 'id', id: doomedSegment.id },
    { start: /\/v1\/segments/, name: 'id', id: segment.id },
    { start: /\/v1\/lists\/\{id\}\/contacts/, name: 'id', id: list.id },
    { start: /^DELETE .*\/lists/, name: 'id', id: doomedList.id },
    { start: /\/v1\/lists/, name: 'id', id: list.id },
    { start: /^DELETE \/broadcasts/, name: 'id', id: await aBroadcast() },
    { start: /^DELETE \/v1\/broadcasts/, name: 'id', id: await aBroadcast() },
    { start: /broadcasts\/\{id\}\/send$/, name: 'id', id: await aBroadcast() },
    { start: /broadcasts\/\{id\}\/cancel$/, name: 'id', id: await aScheduledBroadcast() },
    { start: /\/broadcasts/, name: 'id', id: await aBroadcast() },
    { start: /\/contacts\/bulk/, name: 'id', id: bulkJob.id },
    { start: /^DELETE .*\/contacts/, name: 'id', id: doomedContact.id },
    { start: /\/contacts/, name: 'id', id: contact.id },
    { start: /^DELETE .*automations/, name: 'id', id: await anAutomation() },
    { start: /automations.*runId/, name: 'id', id: ranAutomation },
    { start: /automations.*runId/, name: 'runId', id: automationRun.run_id },
    { start: /automations.*runs$/, name: 'id', id: ranAutomation },
    { start: /automations/, name: 'id', id: await anAutomation() },
    { start: /templates/, name: 'id', id: template.id },
    { start: /^DELETE .*webhooks/, name: 'id', id: doomedWebhook.id },
    { start: /webhooks/, name: 'id', id: webhook.id },
    { start: /deliveries/, name: 'deliveryId', id: deliveryId },
    { start: /^DELETE .*suppressions/, name: 'id_or_email', id: 'back@example.com' },
    { start: /suppressions/, name: 'id_or_email', id: 'out@example.com' },
  ];
}

export const ownIdFor = (records: readonly OwnRecord[], operation: string, name: string): string | undefined =>
  records.find((record) => record.name === name && record.start.test(operation))?.id;

/** Works however many wrong passwords were tried before. */
export async function signInTo(app: TestApp): Promise<string> {
  await sql`delete from attempt_counts`.execute(app.db);
  const { status, body } = await app.request({ url: '/auth/login', key: null, body: TEST_ADMIN });
  assert.equal(status, 200);
  return String(Reflect.get(body as object, 'token')); // an answer of 200 is an object
}

async function firstEvent({ db, workspaceId }: TestApp): Promise<{ event_id: string }> {
  const { rows } = await sql<{ event_id: string }>`
    select id as event_id from email_events where workspace_id = ${workspaceId} order by id limit 1`.execute(db);
  assert.ok(rows[0]);
  return rows[0];
}
