import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import type { TestApp, TestAppOptions } from '../../harness/app.ts';
import { aDomain, anEmail, anImage, anInbound } from '../../harness/builders.ts';
import { rowsAtOnce } from '../../harness/noted-later.ts';
import type { Kind } from './operations.ts';

/** A workspace with a real record of every kind there is, and who it belongs to. */
export interface Furnished {
  workspaceId: string;
  /** Full access. */
  key: string;
  owner: { email: string; password: string };
  records: Readonly<Record<Kind, readonly string[]>>;
  /** In every text of the workspace, and in no other. */
  canary: string;
  /** Used once, with the body below, for POST /v1/api-keys. */
  idempotencyKey: string;
}

export const KEY_BODY = { name: 'Made once', scopes: ['emails:read'] };

/** A test reads fields of many shapes, and the response check has held each body against its schema. */
const call = async (
  app: TestApp,
  key: string,
  url: string,
  body?: unknown,
  headers = {},
  method?: string,
): Promise<any> => {
  const answer = await app.request({
    url,
    key,
    headers,
    ...(method === undefined ? {} : { method }),
    ...(body === undefined ? {} : { body }),
  });
  assert.ok(answer.status < 300, `${url} answered ${answer.status} ${answer.text}`);
  return answer.body;
};

export async function tokenOf(app: TestApp, who: { email: string; password: string }): Promise<any> {
  return (await app.request({ url: '/auth/login', key: null, body: who })).body;
}

/** An app in which workspaces can be furnished: everything that is sent is handed over soon, and stays as it ends. */
export const APP_TO_FURNISH = {
  worker: true,
  env: {
    POSTHORN_SIGNUP: 'open',
    POSTHORN_SEND_RATE: '500',
    POSTHORN_PROVIDER_CEILING: '1000',
    POSTHORN_EGRESS_ALLOW: '127.0.0.1/32',
    POSTHORN_WEBHOOK_RETRY_SECONDS: '80000', // what was tried once waits until the tests are over
  },
} satisfies TestAppOptions;

/** Signs a person up, and furnishes the workspace of theirs. */
export async function aFurnishedWorkspace(app: TestApp, owner: Furnished['owner']): Promise<Furnished> {
  const body = { ...owner, workspace_name: owner.email };
  const answer = await app.request({ url: '/auth/register', key: null, body });
  assert.equal(answer.status, 201, answer.text);
  return furnish(app, owner);
}

async function furnish(app: TestApp, owner: { email: string; password: string }): Promise<Furnished> {
  const canary = /^[^@]+/.exec(owner.email)?.[0] ?? '';
  const { token, workspace_id: workspaceId, user } = await tokenOf(app, owner);
  const key = (await call(app, token, '/v1/api-keys', { name: `${canary} full`, scopes: ['*'] })).key;
  const domain = `${canary}.example`;
  const domainId = await aDomain(app.db, workspaceId, domain, { daily: 10_000 });
  await sql`insert into domain_watches (workspace_id, domain_id, watch_until, failure_reason)
    values (${workspaceId}, ${domainId}, now(), ${canary})`.execute(app.db);
  await sql`insert into domain_marks (workspace_id, domain_id, svg_path, svg_url, certificate_url)
    values (${workspaceId}, ${domainId}, ${`${canary}.svg`}, ${`https://${domain}/logo.svg`}, ${`https://${domain}/mark.pem`})`.execute(
    app.db,
  );
  await sql`insert into domain_checks (workspace_id, id, domain_id, at, by_hand, outcome, reason, records, lookups)
    values (${workspaceId}, ${newId()}, ${domainId}, now(), true, 'failed', ${canary}, '[]', '[]')`.execute(app.db);
  const keyOfB = await call(app, token, '/v1/api-keys', { name: canary, scopes: ['*'], domain_ids: [domainId] });
  const idempotencyKey = `${canary}-once`;
  await call(app, key, '/v1/api-keys', KEY_BODY, { 'idempotency-key': 'the-same-key-in-both' });

  // Nobody listens there: what is delivered fails, and stays on this machine.
  const template = await call(app, key, '/v1/templates', { name: 'Hello', alias: 'hello', text: 'Hello' });
  const automation = await call(app, key, '/v1/automations', {
    name: canary,
    trigger: { type: 'api' },
    steps: [{ key: 'wait', type: 'delay', config: { duration: '300 days' } }],
  });
  const automationRun = await call(app, key, `/v1/automations/${automation.id}/test`, {
    email: `${canary}@${domain}`,
    payload: { canary },
  });
  const webhook = await call(app, key, '/v1/webhooks', {
    url: `http://127.0.0.1:9/${canary}`,
    events: ['*'],
    description: canary,
    domain_ids: [domainId],
  });

  const email = {
    from: `${canary} <${canary}@${domain}>`,
    to: [`${canary} <ada@${domain}>`, 'bounce@simulator.amazonses.com'],
    subject: `${canary} subject`,
    html: `<p>${canary} html</p>`,
    text: `${canary} text`,
    tags: [{ name: 'canary', value: canary }],
    metadata: { canary },
    headers: { 'X-Canary': canary },
    attachments: [{ filename: `${canary}.txt`, content: Buffer.from(canary).toString('base64') }],
  };
  const sent = await call(app, key, '/v1/send', email);
  const batch = await call(app, key, '/v1/batch', { emails: [{ ...email, to: `bob@${domain}` }] });
  const jobs: string[] = [sent.jobId, batch.results[0].jobId];
  for (const job of jobs) await finished(app, key, job);
  const captured = await call(app, key, '/v1/captured-emails');
  const kept = { recipient: `carol@${domain}`, subject: canary, fromAddress: `${canary}@${domain}` };
  const unconfirmed = await anEmail(app.db, workspaceId, { ...kept, status: 'unconfirmed' });
  const waiting = await anEmail(app.db, workspaceId, { ...kept, status: 'deferred' });
  await sql`update emails set not_before = now() + interval '1 day'
    where workspace_id = ${workspaceId} and id = ${waiting.emailId}`.execute(app.db);
  const scheduled = await call(app, key, '/scheduled', { ...email, scheduled_for: 'in 300 days' });
  const invite = await call(app, token, `/workspaces/${workspaceId}/invites`, {
    email: `guest-of-${canary}@example.com`,
    role: 'viewer',
  });
  const { data: sessions } = await call(app, token, '/auth/sessions');
  const emails: { id: string }[] = [...sent.emails, ...batch.results[0].emails];
  assert.ok(captured.data.length >= 2, 'the messages were captured');

  const requests = await call(app, key, '/v1/requests');
  assert.ok(requests.data.length >= 4, 'requests were logged');

  const deliveries = await tried(app, key, workspaceId, webhook.id);

  const suppression = await call(app, key, '/v1/suppressions', { email: `not-${canary}@example.com`, note: canary });

  const contact = await call(app, key, '/v1/contacts', {
    email: `contact@${domain}`,
    name: canary,
    properties: { canary },
    unsubscribed: true,
  });
  await call(app, key, `/v1/contacts/${contact.id}`, { email: `ada@${domain}` }, {}, 'PATCH');
  const list = await call(app, key, '/v1/lists', { name: canary, description: canary });
  await call(app, key, `/v1/lists/${list.id}/contacts`, { contact_ids: [contact.id] });
  const segment = await call(app, key, '/v1/segments', {
    name: canary,
    filter: { match: 'all', conditions: [{ field: 'email', op: 'contains', value: canary }] },
  });
  const bulkJob = await call(app, key, '/v1/contacts/bulk', {
    filter: { match: 'all', conditions: [{ field: 'email', op: 'contains', value: canary }] },
    action: { type: 'update', set: { name: canary } },
  });
  await call(app, key, '/v1/contacts', { email: `gone@${domain}`, unsubscribed: true });
  await call(app, key, `/v1/contacts/gone@${domain}`, undefined, {}, 'DELETE');

  const broadcast = await call(app, key, '/broadcasts', {
    name: canary,
    from: `${canary} <${canary}@${domain}>`,
    subject: canary,
    html: `<p>${canary}</p>`,
    variables: { canary },
    audience: { list_ids: [list.id] },
  });

  const newsletter = await call(app, key, '/v1/newsletters', {
    name: `${canary} weekly`,
    slug: canary,
    description: canary,
    from_email: `${canary}@${domain}`,
  });

  const issueId = newId();
  const deletedId = newId();
  await sql`insert into deleted_lists (workspace_id, id, name, deleted_at)
    values (${workspaceId}, ${deletedId}, ${canary}, now())`.execute(app.db);
  await sql`insert into issues (workspace_id, id, newsletter_id, slug, subject, html_body)
    values (${workspaceId}, ${issueId}, ${newsletter.id}, ${canary}, ${canary}, ${`<p>${canary}</p>`})`.execute(app.db);
  const subscriberId = newId();
  await sql`insert into subscribers (workspace_id, id, newsletter_id, email, name, source, metadata, status)
    values (${workspaceId}, ${subscriberId}, ${newsletter.id}, ${`ada@${domain}`}, ${canary}, ${canary},
      ${JSON.stringify({ canary })}::jsonb, 'active')`.execute(app.db);

  const imageId = await anImage(app.db, workspaceId, `${canary}.png`);
  const received = { domainId, from: `${canary}@example.com`, subject: canary };
  const receivedId = await anInbound(app.db, workspaceId, received);
  await sql`insert into inbound_usage (workspace_id, domain_id, emails, bytes)
    values (${workspaceId}, ${domainId}, 1, 100)`.execute(app.db);
  await sql`insert into inbound_replies (workspace_id, email_id, inbound_id, thread_id)
    values (${workspaceId}, ${unconfirmed.emailId}, ${receivedId}, ${receivedId})`.execute(app.db);

  const [importId, exportId] = [newId(), newId()];
  await sql`insert into imports (workspace_id, id, target_type, target_id, status, format, options, created_by)
    values (${workspaceId}, ${importId}, 'newsletter', ${newsletter.id}, 'completed', 'csv', ${JSON.stringify({ onConflict: 'skip', dryRun: false, alreadyConfirmed: false, sendConfirmation: false })}::jsonb,
      ${JSON.stringify({ type: 'user', id: null, email: canary })}::jsonb)`.execute(app.db);
  await sql`insert into exports (workspace_id, id, target_type, target_id, status, format, filters, created_by)
    values (${workspaceId}, ${exportId}, 'newsletter', ${newsletter.id}, 'failed', 'csv', '{"status":null}', '{}')`.execute(
    app.db,
  );

  const records: Record<Kind, string[]> = {
    workspace: [workspaceId],
    user: [user.id],
    session: sessions.map((session: { id: string }) => session.id),
    invite: [invite.id],
    apiKey: [keyOfB.id],
    domain: [domainId],
    job: [...jobs, waiting.sendId],
    scheduled: [scheduled.id],
    batch: [batch.batchId],
    email: [...emails.map((one) => one.id), unconfirmed.emailId, waiting.emailId],
    captured: captured.data.map((one: { id: string }) => one.id),
    request: requests.data.map((one: { id: string }) => one.id),
    template: [template.id],
    automation: [automation.id],
    automationRun: [automationRun.run_id],
    newsletter: [newsletter.id],
    deletedNewsletter: [deletedId],
    issue: [issueId],
    image: [imageId],
    received: [receivedId],
    subscriber: [subscriberId],
    import: [importId],
    export: [exportId],
    broadcast: [broadcast.id],
    contact: [contact.id],
    list: [list.id],
    segment: [segment.id],
    bulkJob: [bulkJob.id],
    webhook: [webhook.id],
    delivery: deliveries.data.map((one: { id: string }) => one.id),
    suppression: [suppression.id],
    'no record': [],
  };
  return { workspaceId, key, owner, records, canary, idempotencyKey };
}

/** Every delivery was tried once, and its next attempt is a day away: until then nothing changes by itself. */
async function tried(app: TestApp, key: string, workspaceId: string, webhookId: string): Promise<any> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const deliveries = await call(app, key, `/v1/webhooks/${webhookId}/deliveries`);
    const { rows } = await sql<{ held: boolean }>`
      select token is not null as held from webhook_leases where workspace_id = ${workspaceId}`.execute(app.db);
    const waiting = deliveries.data.some((one: { attempt: number }) => one.attempt === 0);
    if (deliveries.data.length > 0 && !waiting && rows[0]?.held === false) return deliveries;
    assert.ok(performance.now() < deadline, 'every delivery was tried');
  }
}

async function finished(app: TestApp, key: string, jobId: string): Promise<void> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const { progress } = await call(app, key, `/v1/send/${jobId}`);
    if (progress.delivered + progress.bounced === progress.total) return;
    assert.ok(performance.now() < deadline, JSON.stringify(progress));
    await new Promise(setImmediate);
  }
}

/** Actions of its own owner are noted some seconds later. */
const NOTED_LATER = ['last_used_at', 'last_used_ip', 'last_seen_at'];

/** Row counts and hashes of everything that belongs to a workspace or to its owner. */
export async function fingerprint(app: TestApp, of: Furnished): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string; isTally: boolean }>`
    select table_name as name, bool_or(column_name = 'folded') as "isTally" from information_schema.columns
     where table_schema = 'public' -- the log tells of the request that its own owner has just made
       and table_name <> 'api_requests' group by 1 having bool_or(column_name = 'workspace_id') order by 1`.execute(
    app.db,
  );
  assert.ok(tables.length > 15);
  const hashes: Record<string, string> = {};
  const hash = async (name: string, column: string, id: string): Promise<void> => {
    const { rows } = await sql<{ hash: string }>`
      select count(*) || ' rows ' || coalesce(md5(string_agg(row, ',' order by row)), '') as hash
        from (select (to_jsonb(t) - ${NOTED_LATER}::text[])::text as row
                from ${sql.table(name)} t where ${sql.ref(column)} = ${id} and ${rowsAtOnce(name)}) rows`.execute(
      app.db,
    );
    hashes[name] = rows[0]?.hash ?? '';
  };
  // A tally is the sum of its rows, and a service folds these at any time.
  const sums = async (name: string): Promise<void> => {
    const { rows } = await sql<{ sums: string | null }>`
      select string_agg(name || ' ' || total, ', ' order by name) as sums
        from (select f.key as name, sum((f.value #>> '{}')::numeric) as total
                from ${sql.table(name)} t cross join lateral jsonb_each(to_jsonb(t)) f
               where t.workspace_id = ${of.workspaceId} and jsonb_typeof(f.value) = 'number' group by 1) fields`.execute(
      app.db,
    );
    hashes[name] = rows[0]?.sums ?? '';
  };
  for (const { name, isTally } of tables) await (isTally ? sums(name) : hash(name, 'workspace_id', of.workspaceId));
  await hash('workspaces', 'id', of.workspaceId);
  await hash('users', 'id', of.records.user[0] ?? '');
  await hash('sessions', 'user_id', of.records.user[0] ?? '');
  return hashes;
}
