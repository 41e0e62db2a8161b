import { findNewsletterOfIssue } from '#features/newsletters';
import { unacceptable } from '#platform/errors/app-error.ts';
import { isUuid } from '#platform/ids.ts';
import type { BroadcastsCtx } from '../broadcasts-ctx.ts';
import { findBroadcast } from '../queries.ts';
import type { BroadcastContent } from './broadcast-input.ts';

type Content = Partial<BroadcastContent>;
type Asking = Pick<BroadcastsCtx, 'db' | 'workspaceId'>;

/** The content with the root in the place of a follow-up that was named. 422 (`follow_up_of`) for what is no root. */
export async function withRoot(ctx: Asking, content: Content, ownId: string | null): Promise<Content> {
  if (content.followUpOf == null) return content;
  return { ...content, followUpOf: await rootOf(ctx, content.followUpOf, ownId) };
}

async function rootOf({ db, workspaceId }: Asking, id: string, ownId: string | null): Promise<string> {
  const broadcast = isUuid(id) ? await findBroadcast(db, workspaceId, id) : undefined;
  const root = broadcast?.followUpOf ?? broadcast?.id;
  if (root === ownId && root !== undefined) {
    throw unacceptable('follow_up_of', 'A broadcast cannot be a follow-up of itself.');
  }
  if (root !== undefined) return root;
  if (isUuid(id) && (await findNewsletterOfIssue(db, workspaceId, id)) !== undefined) return id;
  throw unacceptable('follow_up_of', `There is no broadcast and no issue ${id} in this workspace.`);
}
