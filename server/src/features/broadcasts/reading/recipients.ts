import { Type } from 'typebox';
import { type BulkRecipient, bulkSends, shownStatus } from '#features/outbox';
import type { Ctx } from '#platform/http/context.ts';
import { EXACT_TOTAL_MAX, type PageRequest } from '#platform/http/paging.ts';
import { record } from '#platform/records/record.ts';
import { nullable } from '#platform/records/wire-types.ts';
import { type BroadcastSummary, Id } from '../broadcast.ts';

type RecipientType = NonNullable<NonNullable<Parameters<typeof bulkSends.pageOfRecipients>[2]>['counted']>;

/** The counts of the statistics whose recipients are listed. */
export const RECIPIENT_TYPES = bulkSends.recipientCounts;

const RECIPIENT = record({
  contact_id: nullable(Id),
  subscriber_id: nullable(Type.String({ format: 'uuid', description: 'Of the newsletter that it went to.' })),
  ...bulkSends.recipientFields,
});
export const Recipient = Type.Object(RECIPIENT.schema, { title: 'BroadcastRecipient', additionalProperties: false });

/** With the id that a page of a list goes by. */
type Row = BulkRecipient & { id: string };

export const recipientView = (row: BulkRecipient, { audience }: BroadcastSummary) => {
  const isSubscriber = audience.newsletterId != null;
  const person = isSubscriber
    ? { contactId: null, subscriberId: row.subscriberId }
    : { contactId: row.subscriberId, subscriberId: null };
  return RECIPIENT.view({ ...row, ...person }, { status: shownStatus(row.status) });
};

/** The recipients of a broadcast, the newest email first: a page, and one more when there are more. */
export async function listRecipients(
  { db }: Pick<Ctx, 'db'>,
  { workspaceId, sendId }: BroadcastSummary,
  { page, type = 'total' }: { page: PageRequest; type?: RecipientType | undefined },
): Promise<{ rows: Row[]; total: number | null; totalIsEstimate: boolean }> {
  if (sendId === null) return { rows: [], total: 0, totalIsEstimate: false };
  const key = { workspaceId, sendId };
  const counted = type;
  const most = EXACT_TOTAL_MAX + 1;
  const total = page.after === null ? await bulkSends.countRecipients(db, key, { counted }, most) : null;
  const asked = { counted, limit: page.limit + 1, offset: page.offset, after: page.after ?? undefined };
  const found = await bulkSends.pageOfRecipients(db, key, asked);
  return {
    rows: found.map((row) => ({ ...row, id: row.emailId })),
    total,
    totalIsEstimate: total !== null && total > EXACT_TOTAL_MAX,
  };
}
