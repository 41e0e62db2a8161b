/** An erased person is in no file any more, neither imported nor exported. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { signLink } from '../../../src/features/newsletters/link-token.ts';
import { purgePending } from '../../../src/features/newsletters/subscribers/removal/purge-pending.ts';
import { exportPage } from '../../../src/features/transfers/exports/export-rows.ts';
import { claimExport, insertExportPart } from '../../../src/features/transfers/exports/export-queries.ts';
import { subscriberExports } from '../../../src/features/newsletters/subscribers/transfer/export/export-source.ts';
import { aNewsletter } from '../../harness/builders.ts';
import { createTransferApp, type TransferApp } from './transfer-app.ts';

let app: TransferApp;
before(async () => {
  app = await createTransferApp();
});
after(() => app.close());

interface ExportBody {
  id: string;
  status: string;
  rows: number;
  url: string | null;
}

async function anExport(newsletterId: string): Promise<string> {
  const body = { resource: 'subscribers', filters: { newsletter_id: newsletterId }, format: 'jsonl' };
  return ((await app.request({ url: '/v1/exports', body })).body as ExportBody).id; // every answer is checked
}
const readExport = async (id: string): Promise<ExportBody> =>
  (await app.request({ url: `/v1/exports/${id}` })).body as ExportBody;

async function fileOf(id: string): Promise<string[]> {
  const { url } = await readExport(id);
  const { pathname, search } = new URL(url ?? '');
  const { text } = await app.request({ url: pathname + search, key: null });
  return text.split('\n').slice(0, -1);
}

async function erase(newsletterId: string, email: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from subscribers where workspace_id = ${app.workspaceId} and newsletter_id = ${newsletterId}
       and email = ${email}`.execute(app.db);
  const url = `/v1/newsletters/${newsletterId}/subscribers/${rows[0]?.id}`;
  assert.equal((await app.request({ url, method: 'DELETE' })).status, 200);
}

async function isIn(tables: readonly string[], email: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of tables) {
    const { rows } = await sql`select from ${sql.table(table)} as x
      where workspace_id = ${app.workspaceId} and position(${email} in x::text) > 0`.execute(app.db);
    if (rows.length > 0) found.push(table);
  }
  return found;
}

test('an export is written anew without somebody who is erased, under the same link; others stay as they are', async () => {
  const [id, other] = [await app.newsletter(), await app.newsletter()];
  await app.imported(id, 'email\nada@example.com\ngrace@example.com\n');
  await app.imported(other, 'email\nada@example.com\n');
  const [mine, theirs] = [await anExport(id), await anExport(other)];
  await app.work();
  const link = (await readExport(mine)).url;
  assert.equal((await fileOf(mine)).length, 2);
  await erase(id, 'ada@example.com');
  const reset = await readExport(mine);
  assert.deepEqual([reset.status, reset.rows, reset.url], ['queued', 0, null]);
  const { pathname, search } = new URL(link ?? '');
  assert.equal((await app.request({ url: pathname + search, key: null })).status, 404);
  await app.work();
  const lines = await fileOf(mine);
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).email),
    ['grace@example.com'],
  );
  assert.equal((await app.request({ url: pathname + search, key: null })).status, 200);
  assert.equal((await fileOf(theirs)).length, 1);
});

test('a page that was read before somebody was erased is not added to the file after it', async () => {
  const id = await app.newsletter();
  await app.imported(id, 'email\nada@example.com\n');
  const exportId = await anExport(id);
  const token = '11111111-1111-4111-8111-111111111111';
  const row = await claimExport(app.db, token, 15);
  assert.equal(row?.id, exportId);
  const of = { workspaceId: app.workspaceId, targetId: id, filters: { status: null } };
  const page = await exportPage(app.db, subscriberExports, of, { format: 'jsonl', after: null });
  await erase(id, 'ada@example.com');
  const piece = { bytes: Buffer.from(page.text), rows: page.rows, cursor: '', leaseSeconds: 15 };
  assert.equal(await insertExportPart(app.db, { workspaceId: app.workspaceId, id: exportId }, token, piece), false);
  await app.work();
  assert.deepEqual(await fileOf(exportId), []);
});

test('an erased address is in no results and no piece of a file, nor does sending the file again put it there', async () => {
  const id = await app.newsletter();
  const file = 'email,metadata\nMarie@example.com,\nmarie@example.com,\n Marie@Example.com ,{\n';
  await app.imported(id, file, 'consent=already_confirmed&dry_run=true');
  await app.imported(id, file);
  const tables = ['import_results', 'import_parts', 'subscribers'];
  assert.deepEqual(await isIn(tables, 'marie@example.com'), ['import_results', 'subscribers']);
  await erase(id, 'marie@example.com');
  assert.deepEqual(await isIn(tables, 'marie@example.com'), []);
  const again = await app.imported(id, 'email\nmarie@example.com\n');
  assert.deepEqual(await app.results(again.id), ['2,,skipped,erased,']);
  assert.deepEqual(await isIn(tables, 'marie@example.com'), []);
});

test('pending people of a file are forgotten after the days since the import, however old the file says they are', async () => {
  const { id } = await aNewsletter(app.db, app.workspaceId, { doubleOptIn: false });
  await app.imported(id, 'email,created_at\nold@example.com,2019-01-01\n', '');
  const purge = (daysLater: number) => {
    const now = new Date(app.clock.now().getTime() + daysLater * 86_400_000);
    return purgePending({ ...app, clock: { ...app.clock, now: () => now }, settings: { pendingPurgeDays: 30 } });
  };
  assert.equal(await purge(29), 0);
  assert.equal((await app.people(id)).length, 1);
  assert.equal(await purge(31), 1);
  assert.deepEqual(await app.people(id), []);
});

test('a subscriber who waits for the confirmation email of an import is not deleted before it is sent', async () => {
  const id = await app.newsletter();
  await app.imported(id, 'email\nslow@example.com\n', 'send_confirmation=true');
  const now = new Date(app.clock.now().getTime() + 60 * 86_400_000);
  const purge = () =>
    purgePending({ ...app, clock: { ...app.clock, now: () => now }, settings: { pendingPurgeDays: 30 } });
  assert.equal(await purge(), 0);
  assert.equal((await app.people(id)).length, 1);
  await sql`update imports set confirmations_due = false where workspace_id = ${app.workspaceId}`.execute(app.db);
  assert.equal(await purge(), 1);
});

test('a file brings nobody back who left by a link behind the undo of the import that had added them', async () => {
  const newsletterId = await app.newsletter();
  const [address, stays] = ['gone@example.com', 'stays@example.com'];
  const { id } = await app.imported(newsletterId, `email\n${address}\n${stays}\n`);
  const { rows } = await sql<{ id: string }>`
    select id from subscribers where workspace_id = ${app.workspaceId} and email = ${address}`.execute(app.db);
  const claims = { workspaceId: app.workspaceId, newsletterId, subscriberId: rows[0]?.id ?? '', address };
  await app.request({ url: `/v1/imports/${id}/undo`, method: 'POST' });
  await app.work();
  assert.deepEqual(await app.people(newsletterId), []);
  const token = await signLink(app.secrets, 'nl_unsub', claims, app.clock.now());
  const url = `/api/n/unsubscribe?token=${token}`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const pressed = await app.app.inject({ method: 'POST', url, headers, payload: 'List-Unsubscribe=One-Click' });
  assert.equal(pressed.statusCode, 200, pressed.body);
  const again = await app.imported(newsletterId, `email\n${address}\n${stays}\n`);
  assert.deepEqual(
    (await app.people(newsletterId)).map(({ email }) => email),
    [stays],
  );
  assert.match((await app.results(again.id)).join('\n'), /gone@example\.com.*unsubscribed/);
});
