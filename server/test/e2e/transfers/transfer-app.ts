/**
 * Helpers that the tests of imports and exports share: the whole application, and a worker's work done when the test
 * says so.
 */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { TransferTarget } from '#features/transfers';
import { createLog } from '#platform/log.ts';
import { aNewsletter } from '../../harness/builders.ts';
import { createTestApp, type TestAnswer, type TestApp } from '../../harness/app.ts';
import { runExport } from '../../../src/features/transfers/exports/run-export.ts';
import type { ExportsWiring } from '../../../src/features/transfers/exports/run-export.ts';
import { type ImportsWiring, runImport } from '../../../src/features/transfers/imports/run-import.ts';
import { subscriberExports } from '../../../src/features/newsletters/subscribers/transfer/export/export-source.ts';
import { subscriberImports } from '../../../src/features/newsletters/subscribers/transfer/import/import-target.ts';

export interface ImportBody {
  undone_at: string | null;
  id: string;
  status: string;
  counts: Record<'total' | 'created' | 'updated' | 'skipped' | 'failed', number>;
  removed: number;
  results: number;
  errors_url: string | null;
  error: string | null;
  can_undo: boolean;
  created_by: { type: string; id: string | null; email: string | null };
  columns: { recognised: string[]; ignored: string[] } | null;
}

export interface TransferApp extends TestApp {
  wiring: ImportsWiring & ExportsWiring;
  newsletter(): Promise<string>;
  upload(
    newsletterId: string,
    file: string | Buffer,
    query?: string,
    headers?: Record<string, string>,
  ): Promise<TestAnswer>;
  /** Sends a file and works until it is done. */
  imported(newsletterId: string, file: string | Buffer, query?: string, type?: string): Promise<ImportBody>;
  readImport(id: string): Promise<ImportBody>;
  work(): Promise<void>;
  /** The results of the rows, as in the file of results. */
  results(id: string): Promise<string[]>;
  /** Every subscriber by address, without what differs from run to run. */
  people(newsletterId: string): Promise<Record<string, unknown>[]>;
}

export async function createTransferApp(): Promise<TransferApp> {
  const app = await createTestApp();
  const target: TransferTarget = { type: 'newsletter', imports: subscriberImports(app), exports: subscriberExports };
  const targets = new Map([[target.type, target]]);
  const wiring = { ...app, targets, log: createLog({ level: 'silent' }), leaseSeconds: 15 };
  const upload: TransferApp['upload'] = (newsletterId, file, query = 'consent=already_confirmed', headers = {}) =>
    app.request({
      url: `/v1/newsletters/${newsletterId}/subscribers/import?${query}`,
      method: 'POST',
      body: file,
      headers: { 'content-type': 'text/csv', ...headers },
    });
  const work = async (): Promise<void> => {
    while (await runImport(wiring, () => true));
    while (await runExport(wiring, () => true));
  };
  const readImport = async (id: string): Promise<ImportBody> =>
    // Every answer is checked against its schema.
    (await app.request({ url: `/v1/imports/${id}` })).body as ImportBody;
  return {
    ...app,
    wiring,
    upload,
    work,
    readImport,
    newsletter: async () => (await aNewsletter(app.db, app.workspaceId)).id,
    async imported(newsletterId, file, query = 'consent=already_confirmed', type = 'text/csv') {
      const answer = await upload(newsletterId, file, query, { 'content-type': type });
      assert.equal(answer.status, 202, answer.text);
      await work();
      return readImport((answer.body as ImportBody).id); // as above
    },
    async results(id) {
      const { text } = await app.request({ url: `/v1/imports/${id}/errors` });
      return text.split('\r\n').slice(1, -1);
    },
    async people(newsletterId) {
      const { rows } = await sql<Record<string, unknown>>`
        select email, name, source, metadata, status, confirmed_at, unsubscribed_at, confirmation_sent_at,
               confirmation_count, consent, last_opened_at, last_clicked_at, created_at
          from subscribers where workspace_id = ${app.workspaceId} and newsletter_id = ${newsletterId} order by email`.execute(
        app.db,
      );
      return rows;
    },
  };
}
