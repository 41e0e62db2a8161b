import { findContactFacts } from '#features/contacts';
import { preview } from '#features/compositions';
import type { RenderedMail } from '#mail/list-mail/content-checks.ts';
import { notFound } from '#platform/errors/app-error.ts';
import { isUuid } from '#platform/ids.ts';
import type { Broadcast } from '../broadcast.ts';
import type { BroadcastsCtx } from '../broadcasts-ctx.ts';
import { broadcastComposition } from './broadcast-composition.ts';
import { readerOf } from './contact-variables.ts';
import { fillBroadcast } from './texts-of-broadcast.ts';

/** Nothing of a preview is tracked. */
export const UNTRACKED = { opens: false, clicks: false };

/** The message that a contact would get, or somebody made up. 422 for what is wrong with it, 404 for no contact. */
export async function previewBroadcast(
  ctx: BroadcastsCtx,
  broadcast: Broadcast,
  contactId: string | null,
): Promise<RenderedMail> {
  const composition = await broadcastComposition(ctx, await fillBroadcast(ctx, broadcast), UNTRACKED);
  return preview(composition, contactId === null ? null : () => readerWith(ctx, contactId));
}

/** For a preview. 404 when there is no such contact. */
export async function readerWith({ db, workspaceId }: BroadcastsCtx, id: string) {
  const contact = isUuid(id) ? await findContactFacts(db, workspaceId, id) : undefined;
  if (contact === undefined) throw notFound('contact', id);
  return readerOf(contact);
}
