import { Type } from 'typebox';
import { exportFile } from '#features/transfers';
import { type Route, route } from '#platform/http/route.ts';
import { sourceOfContacts } from './export-contacts.ts';

const ExportQuery = Type.Object({
  format: Type.Optional(Type.Enum(['csv', 'jsonl'], { examples: ['csv'] })),
  list_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only contacts on this list.' })),
  segment_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only contacts in this segment.' })),
});

export const exportRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v1/contacts/export',
    id: 'export_contacts',
    tag: 'Contacts',
    summary: 'Export contacts as a file',
    description:
      'Ordered by address and streamed. A cell that a spreadsheet would read as a formula begins with an apostrophe. ' +
      'Each line of `jsonl` is a row that `POST /v1/contacts/batch` takes.',
    access: { scope: 'contacts:read' },
    query: ExportQuery,
    response: { file: 'text/csv; charset=utf-8' },
    errors: [404],
    handler: async (ctx, { query: { format = 'csv', list_id: listId = null, segment_id: segmentId = null } }) => {
      const source = await sourceOfContacts(ctx, { listId, segmentId });
      return exportFile(ctx.db, source, { workspaceId: ctx.workspaceId, targetId: '', filters: {} }, format);
    },
  }),
];
