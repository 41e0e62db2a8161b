/**
 * Requests made from the OpenAPI document for every operation: fitting, nearly fitting and not fitting at all, with
 * every kind of credentials. Whatever comes, the answer is one that the document allows, and never a 5xx. Seeded: what
 * fails can be repeated.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { createTestApp, TEST_ADMIN, type TestApp } from '../harness/app.ts';
import { anEmail } from '../harness/builders.ts';
import { isProof, propertyRuns } from '../harness/property-runs.ts';
import { type Documented, type GeneratedRequest, requestsFor, WHOLE_BODIES } from './bad-inputs/requests.ts';

const SEED = Number(process.env['POSTHORN_PROPERTY_SEED'] ?? 20_261_121);
/** Requests per operation; those that hash a password cost a tenth of a second each. */
const RUNS = propertyRuns({ test: 10, prove: 40 });
const SLOW_RUNS = propertyRuns({ test: 5, prove: 15 });
const MANY_RUNS = 5 * RUNS;
const HASHES_PASSWORDS = /^(register_user|sign_in|accept_invite|reset_password|update_me|request_password_reset)$/;
/** Routes that may end the session that asks. */
const ENDS_SESSIONS = /logout|sessions|password|\/auth\/me|members|\/workspaces\/\{id\}$/;
/** The statuses with which any operation may refuse. */
const REFUSALS = new Set([400, 401, 403, 404, 409, 413, 415, 422, 429]);

/** Needs more than a fitting request: a token that was mailed, a state that only a worker brings about. */
const NEVER_GOOD_HERE = new Set([
  'refresh_session',
  'reset_password',
  'verify_email',
  'accept_invite',
  'delete_workspace',
  'change_member_role',
  'remove_member',
  'end_session',
  'get_captured_email',
  'get_captured_email_raw',
  'resume_send', // a send that was paused
  'resume_issue', // and an issue
  'import_suppressions', // bytes, and so
  'receive_ses_events', // signed by Amazon
  'retry_failed_recipients', // an issue that was sent, and refused
  'import_subscribers', // bytes, and so
  'get_import',
  'get_import_errors',
  'cancel_import',
  'undo_import',
  'get_export_file', // a token
  'create_export', // a newsletter named in the body
]);

let app: TestApp;
/** Own records by the name of the path parameter and the start of the path: a fitting id is one that exists. */
let records: { start: RegExp; name: string; id: string }[];

before(async () => {
  app = await createTestApp({
    env: { POSTHORN_SIGNUP: 'open', POSTHORN_PUBLIC_LIMIT_PER_MINUTE: '0', POSTHORN_PUBLIC_LIMIT_PER_HOUR: '0' },
  });
  const { workspaceId, db } = app;
  const token = await signIn();
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
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`; // a TCP listener has one
  const webhook = await made('/v1/webhooks', { url, events: ['*'] });
  const doomedWebhook = await made('/v1/webhooks', { url, events: ['*'] });
  const { event_id: eventId } = await firstEvent(workspaceId);
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
  records = [
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
    { start: /\/v1\/newsletters/, name: 'id', id: newsletter.id },
    { start: /^DELETE .*api-keys/, name: 'id', id: doomed.id },
    { start: /api-keys/, name: 'id', id: spare.id },
    { start: /rate-limits/, name: 'apiKeyId', id: spare.id },
    { start: /\/v1\/send\//, name: 'jobId', id: sent.jobId },
    { start: /\/v1\/batch\//, name: 'id', id: batch.batchId },
    { start: /send-again/, name: 'id', id: unconfirmed.emailId },
    { start: /treat-as-sent/, name: 'id', id: other.emailId },
    { start: /resend/, name: 'id', id: failed.emailId },
    { start: /\/v1\/emails\//, name: 'id', id: sent.emails[0].id },
    { start: /invites/, name: 'inviteId', id: invite.id },
    { start: /members/, name: 'userId', id: user.id },
    { start: /sessions/, name: 'id', id: (await made('/auth/sessions')).data[0].id },
    { start: /workspaces/, name: 'id', id: workspaceId },
    { start: /^DELETE .*webhooks/, name: 'id', id: doomedWebhook.id },
    { start: /webhooks/, name: 'id', id: webhook.id },
    { start: /deliveries/, name: 'deliveryId', id: deliveryId },
    { start: /^DELETE .*suppressions/, name: 'id_or_email', id: 'back@example.com' },
    { start: /suppressions/, name: 'id_or_email', id: 'out@example.com' },
  ];
});
after(async () => {
  await app.close();
  receiver.closeAllConnections();
  receiver.close();
});

const receiver = createServer((_request, response) => response.end('ok'));

async function firstEvent(workspaceId: string): Promise<{ event_id: string }> {
  const { rows } = await sql<{ event_id: string }>`
    select id as event_id from email_events where workspace_id = ${workspaceId} order by id limit 1`.execute(app.db);
  assert.ok(rows[0]);
  return rows[0];
}

async function signIn(): Promise<string> {
  const { body } = await app.request({ url: '/auth/login', key: null, body: TEST_ADMIN });
  return String(Reflect.get(body as object, 'token'));
}

const runsOf = (operationId: string): number =>
  HASHES_PASSWORDS.test(operationId) ? SLOW_RUNS : Object.hasOwn(WHOLE_BODIES, operationId) ? MANY_RUNS : RUNS;

test('no request made from the OpenAPI document is answered with a 5xx or with what the document does not say', async (t) => {
  const answers = new Map<number, number>();
  const neverGood: string[] = [];
  let token = await signIn();
  for (const [path, methods] of Object.entries(app.document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const documented = operation as Documented;
      let good = 0;
      const ownIds = (name: string): string[] => {
        const route = `${method.toUpperCase()} ${path}`;
        return [records.find((record) => record.name === name && record.start.test(route))?.id ?? 'x'];
      };
      const ask = async ({ as, ...request }: GeneratedRequest): Promise<void> => {
        const held = as === 'key' ? app.key : as === 'token' ? token : as;
        const { status, text } = await app.request({ ...request, key: held });
        answers.set(status, (answers.get(status) ?? 0) + 1);
        if (status < 300) good += 1;
        else assert.ok(REFUSALS.has(status), `${request.method} ${request.url} answered ${status} ${text}`);
        if (ENDS_SESSIONS.test(path) && method !== 'get' && status < 300) token = await signIn();
      };
      await fc.assert(fc.asyncProperty(requestsFor(method.toUpperCase(), path, documented, ownIds), ask), {
        seed: SEED,
        numRuns: runsOf(documented.operationId),
        endOnFailure: false,
      });
      if (good === 0) neverGood.push(documented.operationId);
    }
  }
  // Few requests may all miss an operation that needs several fields to fit; the long run asks enough of each.
  const unexpected = isProof ? neverGood.filter((id) => !NEVER_GOOD_HERE.has(id)) : [];
  assert.deepEqual(unexpected, [], 'each operation was also asked for what it does');
  assert.equal(Reflect.get({}, 'isAdmin'), undefined);
  assert.deepEqual(app.logged, [], 'nothing unexpected was logged');
  assert.equal((await app.request({ url: '/health', key: null })).status, 200);
  const counts = [...answers].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  t.diagnostic(`seed ${SEED}: ${counts.join(', ')}`);
});
