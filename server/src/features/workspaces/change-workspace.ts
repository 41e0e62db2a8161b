import { inTransaction } from '#platform/db/database.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { changedFields } from '#platform/records/changed-fields.ts';
import { lockWorkspace, updateWorkspace } from './queries.ts';
import { recordSecurityEvent } from './security-log/record-security-event.ts';
import { type Membership, readTimezone, type Workspace } from './workspace.ts';
import { getManagedWorkspace } from './workspace-access.ts';

const CHANGEABLE = ['name', 'timezone', 'trackOpens', 'trackClicks', 'postalAddress'] as const;

/**
 * Renames a workspace, moves it to another time zone, gives it a postal address, or turns its tracking on or off. The
 * slug stays in all links.
 */
export async function changeWorkspace(
  ctx: Ctx,
  workspaceId: string,
  input: {
    name?: string;
    timezone?: string;
    track_opens?: boolean;
    track_clicks?: boolean;
    postal_address?: string | null;
  },
): Promise<Membership> {
  const timezone = input.timezone === undefined ? null : readTimezone(input.timezone);
  return inTransaction(ctx.db, async (tx) => {
    await lockWorkspace(tx, workspaceId.toLowerCase());
    const membership = await getManagedWorkspace(ctx, tx, workspaceId);
    const changed = await updateWorkspace(tx, membership.id, {
      name: input.name ?? null,
      timezone,
      trackOpens: input.track_opens ?? null,
      trackClicks: input.track_clicks ?? null,
      postalAddress: textOrNull(input.postal_address),
      now: ctx.clock.now(),
    });
    if (changed === undefined) throw notFound('workspace', workspaceId);
    const changes = changedFields<Workspace>(membership, changed, CHANGEABLE);
    if (changes !== null) {
      await recordSecurityEvent(
        tx,
        { ...ctx, workspaceId: membership.id },
        { action: 'workspace.updated', targetType: 'workspace', targetId: membership.id, details: { changes } },
      );
    }
    return { ...changed, role: membership.role };
  });
}

/** An empty text counts as none. */
const textOrNull = (text: string | null | undefined): string | null | undefined =>
  typeof text === 'string' && text.trim() === '' ? null : (text?.trim() ?? text);
