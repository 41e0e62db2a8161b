/**
 * The address of an erased person is in no row of any table any more: looked for as one would in a dump of the
 * database.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { deleteCaptured } from '../../../../../test/harness/captured-emails.ts';
import { type Body, createIssuesApp, type IssuesApp } from '../../issues/test-kit.ts';
import { eraseTraces } from '#features/consents';

// Automations are above.
const deleteRunsOf = async (): Promise<void> => undefined;

let t: IssuesApp;
before(async () => {
  t = await createIssuesApp({ worker: true, env: { POSTHORN_SEND_RATE: '500', POSTHORN_PROVIDER_CEILING: '600' } });
});
after(() => t.close());

const CANARY = 'canary-4711@example.com';
/** The address that they had before. */
const FORMER = 'former-0815@example.com';
const NAME = 'Kanarienvogel';

/** Tables with a row that has this text, as it stands or as bytes. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`.execute(t.app.db);
  const hex = Buffer.from(text).toString('hex');
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql`
      select 1 from ${sql.table(name)} as x
       where position(lower(${text}) in lower(x::text)) > 0 or position(${hex} in x::text) > 0 limit 1`.execute(
      t.app.db,
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}

/** With the last event of each, which names its recipient, too. */
const arrived = (): Promise<void> =>
  t.until('every email has arrived', async () => {
    const { rows } = await sql`select from emails where workspace_id = ${t.app.workspaceId}
      and status <> 'delivered'`.execute(t.app.db);
    return rows.length === 0;
  });

test('204, and after the next round nothing of the person is left but a hash: in no table, row or message', async () => {
  const { app } = t;
  const post = (url: string, body: unknown, headers = {}): Promise<Body> =>
    app.request({ method: 'POST', url, body, headers });
  await post('/v1/webhooks', { url: 'http://127.0.0.1:59999/', events: ['*'] });
  const id = await t.list();
  const patched = await t.call('PATCH', `/${id}`, { body: { double_opt_in: true } });
  const { slug } = patched.body;
  const joined = await post(`/api/n/${slug}/subscribe`, { email: FORMER, name: NAME, source: NAME });
  assert.equal(joined.status, 200, joined.text);
  await arrived();
  const { rows } = await sql<{ id: string; mime: Buffer }>`
    select s.id, c.mime from captured_emails c join emails e on e.workspace_id = c.workspace_id and e.id = c.email_id
      join subscribers s on s.workspace_id = e.workspace_id and s.id = e.subscriber_id
     where c.workspace_id = ${app.workspaceId}`.execute(app.db);
  const [row] = rows;
  assert.ok(row !== undefined, 'the email that asks for confirmation was captured');
  const [, token = ''] =
    /confirm\?token=3?D?([\w.-]+)/.exec(row.mime.toString().replace(/=\r\n/g, '').replaceAll('=3D', '=')) ?? [];
  const confirmed = await app.request({ url: `/api/n/confirm?token=${token}`, key: null });
  assert.equal(confirmed.status, 200, confirmed.text.slice(0, 200));
  const moved = await t.call('PATCH', `/${id}/subscribers/${row.id}`, {
    body: { email: CANARY, consent: { text: NAME } },
  });
  assert.equal(moved.status, 200, moved.text);
  const changed = await t.call('PATCH', `/${id}/subscribers/${row.id}`, { body: { metadata: { nick: NAME } } });
  assert.equal(changed.status, 200, changed.text);
  const draft = await t.draft(id, { html_body: '<p>Hi {{ subscriber.name }}</p>' });
  assert.equal((await t.call('POST', `/${id}/issues/${draft.id}/send`)).status, 202);
  await t.until('the issue was sent', async () => (await t.stored(draft.id)).issue.status === 'sent');
  await arrived();
  const file = await app.request({
    method: 'POST',
    url: `/v1/newsletters/${id}/subscribers/import?dry_run=true&consent=already_confirmed`,
    body: `email,name\n${CANARY},${NAME}\n`,
    headers: { 'content-type': 'text/csv' },
  });
  assert.equal(file.status, 202, file.text);
  await t.until('the file was read', async () => {
    const { body } = await app.request({ url: `/v1/imports/${(file.body as Body).id}` });
    return (body as Body).status === 'completed';
  });
  // A temporary bounce of the issue, an email of it whose outcome nobody knows, and a note of the suppression by hand.
  await sql`
    with told as (
      select e.workspace_id, e.id, e.content_id, e.send_id, e.subscriber_id from emails e
       where e.workspace_id = ${app.workspaceId} and e.lane = 2 and e.recipient = ${CANARY}
    ), bounced as (
      insert into provider_events (workspace_id, id, email_id, type, recipient, at, payload)
      select workspace_id, ph_uuidv7(), id, 'bounce', ${CANARY}, now() + interval '1 second', '{"bounce": {"bounceType":
        "Transient", "bounceSubType": "MailboxFull", "bouncedRecipients": [{"emailAddress": "canary-4711@example.com"}]}}'
        from told
    )
    insert into emails (workspace_id, id, send_id, content_id, recipient, recipient_typed, lane, turn, status, attempts,
                        subscriber_id, unconfirmed_at)
    select workspace_id, ph_uuidv7(), gen_random_uuid(), content_id, ${CANARY}, ${CANARY}, 2, 0, 'unconfirmed', 1,
           subscriber_id, now() from told`.execute(app.db);
  await t.until('the bounce was counted', async () => (await tablesWith(CANARY)).includes('soft_bounces'));
  const { body: suppressed } = await post('/v1/suppressions', { email: CANARY, reason: 'manual' });
  await app.request({ method: 'DELETE', url: `/v1/suppressions/${suppressed.id}` });
  await t.until('the requests are logged', async () => (await tablesWith(CANARY)).includes('api_requests'));
  assert.equal((await app.request({ url: '/v1/requests' })).status, 200, 'all of them');
  for (const table of [
    'api_requests',
    'captured_emails',
    'consents',
    'emails',
    'import_results',
    'subscribers',
    'workspace_events',
  ]) {
    assert.ok((await tablesWith(CANARY)).includes(table), `it was in ${table}`);
  }
  for (const table of ['captured_emails', 'consents', 'emails', 'workspace_events']) {
    assert.ok((await tablesWith(FORMER)).includes(table), `the former was in ${table}`);
  }
  const gone = await t.call('DELETE', `/${id}/subscribers/${row.id}`);
  assert.ok(gone.status < 300, gone.text);
  const left = async (): Promise<string[]> => (await Promise.all([CANARY, FORMER, NAME].map(tablesWith))).flat();
  await eraseTraces({ db: app.db, deleteCaptured, deleteRunsOf });
  assert.deepEqual(
    (await left()).filter((table) => table !== 'webhook_bodies'),
    [],
  );
  // The worker may have been rendering one just then, which the round after sees.
  await t.until('no webhook names them', async () => {
    await eraseTraces({ db: app.db, deleteCaptured, deleteRunsOf });
    return (await left()).length === 0;
  });
});
