import { exportFile, fileUpload } from '#features/transfers';
import { type Route, route } from '#platform/http/route.ts';
import { Type } from 'typebox';
import { getNewsletter } from '../../get-newsletter.ts';
import type { NewslettersWiring } from '../../wiring.ts';
import { subscriberExports } from './export/export-source.ts';
import { subscriberImports } from './import/import-target.ts';
import * as schemas from './schemas.ts';

const TAG = 'Subscribers';
const ID = 'Of the newsletter.';

export const transferRoutes = (wiring: NewslettersWiring): Route[] => [
  route({
    method: 'POST',
    path: '/v1/newsletters/:id/subscribers/import',
    id: 'import_subscribers',
    tag: TAG,
    summary: 'Import subscribers from a file',
    description:
      'CSV or JSON Lines in UTF-8, up to 512 MB. The answer is an import that runs in the background. It reads ' +
      'the files that Mailchimp, Substack, Ghost, listmonk, Resend, Buttondown, beehiiv and Posthorn export. A ' +
      'file never adds a person again who unsubscribed, is suppressed or was erased: such a row counts as ' +
      'skipped. A person who has unsubscribed according to the file is unsubscribed.',
    access: { scope: 'subscribers:write' },
    example: {
      query: { consent: 'already_confirmed' },
      body: 'email,name\nada@example.com,Ada\nbob@example.com,Bob\n',
    },
    ...fileUpload(
      {
        type: 'newsletter',
        target: subscriberImports(wiring),
        idDescription: ID,
      },
      wiring,
    ),
  }),
  route({
    method: 'GET',
    path: '/v1/newsletters/:id/subscribers/export',
    id: 'export_subscribers',
    tag: TAG,
    summary: 'Export subscribers as a file',
    description:
      'Ordered by address and streamed. An import accepts the file unchanged, with statuses, times and ' +
      'consents. A cell that a spreadsheet would read as a formula begins with an apostrophe, which an import ' +
      'removes. For a very long list use `POST /v1/exports`.',
    access: { scope: 'subscribers:read' },
    params: Type.Object({ id: Type.String({ description: ID }) }),
    query: schemas.ExportQuery,
    response: { file: 'text/csv; charset=utf-8' },
    errors: [404],
    handler: async (ctx, { params, query }) => {
      const newsletter = await getNewsletter(ctx, params.id);
      const format = query.format ?? 'csv';
      const of = { workspaceId: ctx.workspaceId, targetId: newsletter.id, filters: { status: query.status ?? null } };
      return exportFile(ctx.db, subscriberExports, of, format);
    },
  }),
];
