import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createLog } from '#platform/log.ts';
import { type AutomationsApp, createAutomationsApp, END } from '../../../src/features/automations/test-kit.ts';
import { runBulkJob } from '../../../src/features/contacts/bulk/run-bulk-job.ts';
import { listImports } from '../../../src/features/contacts/imports/list-imports.ts';
import { subscriberExports } from '../../../src/features/newsletters/subscribers/transfer/export/export-source.ts';
import { subscriberImports } from '../../../src/features/newsletters/subscribers/transfer/import/import-target.ts';
import { runImport } from '../../../src/features/transfers/imports/run-import.ts';
import type { TransferTarget } from '../../../src/features/transfers/transfer-target.ts';

let t: AutomationsApp;
let key: string;
let mail: object;
before(async () => {
  t = await createAutomationsApp();
  key = await t.key({ mode: 'test' });
  const config = { template_id: await t.template(), transactional: true };
  mail = { key: 'mail', type: 'send_email', config };
});
after(() => t.close());

let named = 0;
const aPerson = (): string => `person-${(named += 1)}@example.com`;

/** Does the same with a test key and with a live one. */
async function byBoth(work: (by: { key?: string }, email: string) => Promise<unknown>): Promise<void> {
  for (const by of [{ key }, {}]) await work(by, aPerson());
  const { app } = t;
  const exports = subscriberExports;
  const both: TransferTarget[] = [
    { type: 'newsletter', imports: subscriberImports(app), exports },
    { type: 'list', imports: listImports(app), exports },
  ];
  const targets = new Map(both.map((target) => [target.type, target]));
  const log = createLog({ level: 'silent' });
  while (await runImport({ ...app, targets, log, leaseSeconds: 15 }, () => true));
  while (await runBulkJob({ ...app, log }));
  await t.service.runOnce();
}

/** Whether the emails of an automation stayed on the server, sorted. */
async function sandboxed(id: string): Promise<boolean[]> {
  const sent = (await t.runs(id)).map((run) => run.steps[0].output.email_id);
  const { rows } = await sql<{ sandbox: boolean }>`
    select sandbox from emails where id = any (${sent}::uuid[]) order by sandbox`.execute(t.app.db);
  return rows.map(({ sandbox }) => sandbox);
}

/** The text of the one email to this address. */
async function textTo(email: string): Promise<string> {
  const { rows } = await sql<{ text: string }>`
    select c.text from emails e join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id
      join contents c on c.workspace_id = s.workspace_id and c.id = s.content_id
     where e.workspace_id = ${t.app.workspaceId} and e.recipient = ${email}`.execute(t.app.db);
  assert.equal(rows.length, 1);
  return rows[0]?.text ?? '';
}

async function done(url: string, options: object): Promise<void> {
  const { status, text } = await t.call('POST', url, options);
  assert.ok(status < 300, text);
}

const hearing = async (type: string, of: object = {}): Promise<string> =>
  (await t.enabled({ trigger: { type, ...of }, steps: [mail, END] })).id;
const file = (email: string) => ({ body: `email\n${email}\n`, headers: { 'content-type': 'text/csv' } });

test('an import or a bulk change by a test key starts emails that stay on the server', async () => {
  const created = await hearing('contact_created');
  const list = (await t.call('POST', '/v1/lists', { body: { name: 'Imported' } })).body.id;
  await byBoth((by, email) => done(`/v1/lists/${list}/import`, { ...file(email), ...by }));
  assert.deepEqual(await sandboxed(created), [false, true]);

  const updated = await hearing('contact_updated');
  await byBoth(async (by, email) => {
    await done('/v1/contacts', { body: { email } });
    const filter = { match: 'all', conditions: [{ field: 'email', op: 'equals', value: email }] };
    await done('/v1/contacts/bulk', { body: { filter, action: { type: 'update', set: { language: 'de' } } }, ...by });
  });
  assert.deepEqual(await sandboxed(updated), [false, true]);
});

test('a subscriber of a test key, added or imported, starts emails that stay on the server', async () => {
  const newsletter = await t.newsletter('of-test-keys');
  const subscribers = `/v1/newsletters/${newsletter}/subscribers`;
  const of = { newsletter_id: newsletter };
  const added = await hearing('newsletter_subscribed', of);
  await byBoth((by, email) => done(subscribers, { body: { email }, ...by }));
  assert.deepEqual(await sandboxed(added), [false, true]);

  const imported = await hearing('newsletter_confirmed', of);
  const url = `${subscribers}/import?consent=already_confirmed&emit_events=true`;
  await byBoth((by, email) => done(url, { ...file(email), ...by }));
  assert.deepEqual(await sandboxed(imported), [false, true]);

  const left = await hearing('newsletter_unsubscribed', of);
  await byBoth(async (by, email) => {
    const { body } = await t.call('POST', subscribers, { body: { email } });
    await done(`${subscribers}/${body.id ?? body.subscriber.id}/unsubscribe`, by);
  });
  assert.deepEqual(await sandboxed(left), [false, true]);
});

test('a subscriber of a test key who confirms by the link in the kept email starts emails that stay on the server', async () => {
  const newsletter = await t.newsletter('asks-first', { double_opt_in: true });
  const confirmed = await hearing('newsletter_confirmed', { newsletter_id: newsletter });
  await byBoth(async (by, email) => {
    await done(`/v1/newsletters/${newsletter}/subscribers`, { body: { email }, ...by });
    const link = /\/api\/n\/confirm\?token=[\w.-]+/.exec(await textTo(email))?.[0];
    assert.ok(link, 'the email has no link to confirm');
    const pressed = await t.app.request({ method: 'POST', url: link });
    assert.ok(pressed.status < 400, pressed.text);
  });
  assert.deepEqual(await sandboxed(confirmed), [false, true]);
});
