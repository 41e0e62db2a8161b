import type { ExportSource } from '#features/transfers';
import type { Ctx } from '#platform/http/context.ts';
import { getList } from '../lists/change-lists.ts';
import { getSegment } from '../segments/change-segments.ts';
import { conditionOf, openFilter } from '../segments/read-segment.ts';
import { pageByAddress } from './export-queries.ts';

/** In the order of the file. Texts, and what is JSON already and is written as it is. */
export const COLUMNS = {
  email: 'text',
  first_name: 'text',
  last_name: 'text',
  name: 'text',
  properties: 'json',
  timezone: 'text',
  language: 'text',
  unsubscribed: 'json',
  unsubscribed_at: 'text',
  created_at: 'text',
} as const satisfies ExportSource['columns'];

/** The chosen contacts: all, those on a list, those in a segment, or those in both. */
export interface ExportAsked {
  listId: string | null;
  segmentId: string | null;
}

/** Contacts as the source of a file. Throws not found for a list or a segment that is not there. */
export async function sourceOfContacts(
  ctx: Pick<Ctx, 'db' | 'workspaceId' | 'clock'>,
  { listId, segmentId }: ExportAsked,
) {
  if (listId !== null) await getList(ctx, listId);
  const filter = segmentId === null ? null : (await getSegment(ctx, segmentId)).filter;
  const condition = filter === null ? null : conditionOf(await openFilter(ctx, filter));
  return {
    resource: 'contacts',
    columns: COLUMNS,
    page: (db: Ctx['db'], _of: unknown, asked: { after: string; limit: number }) =>
      pageByAddress(db, ctx.workspaceId, { ...asked, listId, condition }),
  };
}
