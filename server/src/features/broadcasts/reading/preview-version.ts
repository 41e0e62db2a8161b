import { preview } from '#features/compositions';
import { bulkSends } from '#features/outbox';
import type { RenderedMail } from '#mail/list-mail/content-checks.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { Broadcast } from '../broadcast.ts';
import type { BroadcastsCtx } from '../broadcasts-ctx.ts';
import { broadcastComposition } from '../content/broadcast-composition.ts';
import { previewBroadcast, readerWith, UNTRACKED } from '../content/preview-broadcast.ts';
import { loadMailings } from '../recipients/mailings-queries.ts';

/**
 * The preview of a version of the content, which may have been replaced while the broadcast was being sent: as its
 * recipients got it, with the footer of then. 404 for a version that is not there.
 */
export async function previewVersion(
  ctx: BroadcastsCtx,
  broadcast: Broadcast,
  { contactId, version }: { contactId: string | null; version: number },
): Promise<RenderedMail> {
  const { workspaceId, sendId } = broadcast;
  const key = { workspaceId, sendId: sendId ?? '' };
  if (sendId !== null && version === (await bulkSends.contentVersion(ctx.db, key))) {
    return previewBroadcast(ctx, broadcast, contactId);
  }
  const replaced = sendId === null ? undefined : await bulkSends.replacedContent(ctx.db, key, version);
  if (replaced === undefined) throw notFound('version of the content', String(version));
  const { contentId, subject, html, text, personal } = replaced;
  const [mailing] = await loadMailings(ctx.db, [{ ...key, contentId }]);
  const variables = mailing?.variables ?? broadcast.variables;
  const then = { ...broadcast, variables, subject, html: html ?? '', pinned: undefined };
  const composition = await broadcastComposition(ctx, then, UNTRACKED);
  const stored = { texts: { subject, html: html ?? '', text }, personal };
  return preview(composition, contactId === null ? null : () => readerWith(ctx, contactId), stored);
}
