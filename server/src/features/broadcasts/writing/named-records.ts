import { listMissingOfAudience } from '#features/contacts';
import { templateExists } from '#features/templates';
import { requireKeyForNewsletter } from '#features/workspaces';
import { unacceptable } from '#platform/errors/app-error.ts';
import { newsletterOf, segmentWith } from '../audience/choose-people.ts';
import type { BroadcastsCtx } from '../broadcasts-ctx.ts';
import type { BroadcastContent } from './broadcast-input.ts';

/**
 * Throws 422 for a list, a segment, a contact, a newsletter or a template that is not there: a typing error would send
 * to fewer people, and say nothing. One that is deleted later is passed over when it is sent. 403 for a newsletter that
 * the key may not use.
 */
export async function requireNamedRecords(
  ctx: Pick<BroadcastsCtx, 'db' | 'workspaceId' | 'clock' | 'actor'>,
  { audience, templateId }: Partial<BroadcastContent>,
): Promise<void> {
  const { db, workspaceId } = ctx;
  if (templateId != null && !(await templateExists(db, workspaceId, templateId))) {
    throw unacceptable('template_id', `There is no template ${templateId} in this workspace.`);
  }
  if (audience === undefined) return;
  const { segmentId, contactIds, excludeListIds } = audience;
  if (segmentId !== null) await segmentWith(ctx, segmentId);
  const newsletter = await newsletterOf(ctx, audience);
  if (newsletter !== null) requireKeyForNewsletter(ctx.actor, newsletter.id, 'audience.newsletter_id');
  const listIds = [...audience.listIds, ...excludeListIds];
  const missing = await listMissingOfAudience(db, workspaceId, { listIds, contactIds });
  const [list] = missing.listIds;
  if (list !== undefined) {
    const field = audience.listIds.includes(list) ? 'list_ids' : 'exclude_list_ids';
    throw unacceptable(`audience.${field}`, `There is no list ${list} in this workspace.`);
  }
  const [contact] = missing.contactIds;
  if (contact !== undefined) {
    throw unacceptable('audience.contact_ids', `There is no contact ${contact} in this workspace.`);
  }
}
