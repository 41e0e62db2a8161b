import { type Static, Type } from 'typebox';
import type { ExportFilters, ExportSource } from '#features/transfers';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import { COLUMNS, sourceOfContacts } from './export-contacts.ts';

/** Stands for the list of an export that has contacts on any list, or on none. */
const ANY_LIST = '00000000-0000-0000-0000-000000000000';

const fields = {
  list_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only contacts on this list.' })),
  segment_id: Type.Optional(
    Type.String({ format: 'uuid', description: 'Only contacts in this segment, as it is when they are read.' }),
  ),
};
/** A filter that is not known would leave out nobody. */
const Asked = Type.Object(fields, { additionalProperties: false });
const Shown = Type.Object(fields, { title: 'ContactsExportFilters', additionalProperties: false });

/** Contacts in the background, as `GET /v1/contacts/export` streams them. */
export const contactExports = ({ clock }: { clock: Clock }): ExportSource => {
  const open = (
    ctx: { db: Db; workspaceId: string },
    targetId: string,
    { segment_id: segmentId = null }: ExportFilters,
  ) => sourceOfContacts({ ...ctx, clock }, { listId: targetId === ANY_LIST ? null : targetId, segmentId });
  return {
    resource: 'contacts',
    columns: COLUMNS,
    filters: {
      asked: Asked,
      shown: Shown,
      example: {},
      read(asked) {
        const { list_id: listId, segment_id: segmentId = null } = asked as Static<typeof Asked>; // checked by it
        return { targetId: listId ?? ANY_LIST, filters: { segment_id: segmentId } };
      },
      show: (targetId, { segment_id: segmentId = null }) => ({
        ...(targetId === ANY_LIST ? {} : { list_id: targetId }),
        ...(segmentId === null ? {} : { segment_id: segmentId }),
      }),
    },
    authorise: async (ctx, targetId, given) => void (await open(ctx, targetId, given)),
    maySee: () => true,
    // A list or a segment that is deleted meanwhile ends the export: its record says why.
    async page(db, of, asked) {
      const source = await open({ db, workspaceId: of.workspaceId }, of.targetId, of.filters);
      return source.page(db, of, asked);
    },
  };
};
