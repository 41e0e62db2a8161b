/** The permissions for imports and exports. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTransferApp, type ImportBody, type TransferApp } from './transfer-app.ts';

let app: TransferApp;
before(async () => {
  app = await createTransferApp();
});
after(() => app.close());

const FILE = 'email\nada@example.com\n';

async function aKey(settings: { scopes: string[]; newsletter_ids?: string[] }): Promise<string> {
  const { status, body, text } = await app.request({ url: '/v1/api-keys', body: { name: 'limited', ...settings } });
  assert.equal(status, 201, text);
  return (body as { key: string }).key; // every answer is checked against its schema
}

/** Everything that can be done with files, as `[status, param or name]` under this key. */
async function tries(key: string, newsletterId: string, importId: string, exportId: string) {
  const upload = { method: 'POST', body: FILE, headers: { 'content-type': 'text/csv' } } as const;
  const body = { resource: 'subscribers', filters: { newsletter_id: newsletterId } };
  const asked = {
    import: await app.request({
      url: `/v1/newsletters/${newsletterId}/subscribers/import?consent=already_confirmed`,
      ...upload,
      key,
    }),
    cancel: await app.request({ url: `/v1/imports/${importId}/cancel`, method: 'POST', key }),
    count: await app.request({ url: `/v1/imports/${importId}/undo`, key }),
    undo: await app.request({ url: `/v1/imports/${importId}/undo`, method: 'POST', key }),
    list: await app.request({ url: '/v1/imports', key }),
    read: await app.request({ url: `/v1/imports/${importId}`, key }),
    results: await app.request({ url: `/v1/imports/${importId}/errors`, key }),
    export: await app.request({ url: `/v1/newsletters/${newsletterId}/subscribers/export`, key }),
    create: await app.request({ url: '/v1/exports', body, key }),
    file: await app.request({ url: `/v1/exports/${exportId}`, key }),
  };
  return Object.fromEntries(Object.entries(asked).map(([name, { status }]) => [name, status]));
}

async function anImportAndAnExport(newsletterId: string): Promise<[string, string]> {
  const { id } = await app.imported(newsletterId, FILE);
  const body = { resource: 'subscribers', filters: { newsletter_id: newsletterId } };
  const made = await app.request({ url: '/v1/exports', body });
  await app.work();
  return [id, (made.body as { id: string }).id]; // as above
}

const importsOf = async (newsletterId: string): Promise<number> =>
  ((await app.request({ url: `/v1/imports?newsletter_id=${newsletterId}` })).body as { data: ImportBody[] }).data
    .length;

test('403 for a key without the scope: reading takes lists out, writing brings them in', async () => {
  const id = await app.newsletter();
  const ids = await anImportAndAnExport(id);
  const refused = { import: 403, cancel: 403, count: 403, undo: 403, list: 403, read: 403, results: 403 };
  const none = await aKey({ scopes: ['emails:send'] });
  assert.deepEqual(await tries(none, id, ...ids), { ...refused, export: 403, create: 403, file: 403 });
  const reads = await aKey({ scopes: ['subscribers:read'] });
  assert.deepEqual(await tries(reads, id, ...ids), {
    import: 403,
    cancel: 403,
    count: 200,
    undo: 403,
    list: 200,
    read: 200,
    results: 200,
    export: 200,
    create: 202,
    file: 200,
  });
  assert.equal(await importsOf(id), 1);
  assert.equal((await app.readImport(ids[0])).status, 'completed');
  const parts = await sql`select from import_parts where workspace_id = ${app.workspaceId}`.execute(app.db);
  assert.equal(parts.rows.length, 0, 'a file that may not be sent is not kept');
});

test('403 and 404 for a key of another newsletter, which sees its own imports alone', async () => {
  const [mine, other] = [await app.newsletter(), await app.newsletter()];
  const [own, foreign] = [await anImportAndAnExport(mine), await anImportAndAnExport(other)];
  const key = await aKey({ scopes: ['*'], newsletter_ids: [mine] });
  assert.deepEqual(await tries(key, other, ...foreign), {
    import: 403,
    cancel: 404,
    count: 404,
    undo: 404,
    list: 200,
    read: 404,
    results: 404,
    export: 403,
    create: 403,
    file: 404,
  });
  const { data } = (await app.request({ url: '/v1/imports', key })).body as { data: ImportBody[] };
  assert.deepEqual(
    data.map((one) => one.id),
    [own[0]],
  );
  assert.equal(await importsOf(other), 1);
  assert.deepEqual(
    (await app.people(other)).map((one) => one['email']),
    ['ada@example.com'],
    'nothing was undone',
  );
  assert.equal((await app.request({ url: `/v1/imports/${own[0]}`, key })).status, 200);
});
