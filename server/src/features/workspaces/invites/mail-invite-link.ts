import { createHash } from 'node:crypto';
import { type AttemptLimit, countOrRefuse } from '#platform/attempts/attempt-limits.ts';
import type { Db } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { inviteMail } from '../accounts/account-mails.ts';
import { newLinkToken } from '../accounts/user-token.ts';
import type { Role } from '../permissions/role-permissions.ts';
import type { SendSystemMail } from '../wiring.ts';
import type { Membership } from '../workspace.ts';
import { insertInviteToken } from './queries.ts';

const LIFE_MS = 7 * 86_400_000;

export const inviteExpiry = (now: Date): Date => new Date(now.getTime() + LIFE_MS);

/** Withdrawing and inviting again sends a mail each time, as sending again does: nobody's mailbox is filled so. */
const mailsOf = (workspaceId: string, email: string): AttemptLimit[] => [
  { subject: `invite mail ${workspaceId} ${email}`, max: 5, windowSeconds: 3_600 },
];

/**
 * Mails a new link for an invitation, in the transaction that stores it. The link goes out by mail only and is never
 * shown to the inviter: it is what proves, when it is used, that the mailbox is theirs.
 */
export async function mailInviteLink(
  ctx: Ctx,
  tx: Db,
  workspace: Membership,
  invite: { id: string; email: string; role: Role },
  sendSystemMail: SendSystemMail,
): Promise<void> {
  const { email, role } = invite;
  await countOrRefuse({ ...ctx, db: tx }, mailsOf(workspace.id, email), ctx.clock.now());
  const token = newLinkToken();
  await insertInviteToken(tx, createHash('sha256').update(token).digest(), workspace.id, invite.id);
  const shown = { workspaceName: workspace.name, role, invitedBy: ctx.actor.email };
  await sendSystemMail({ ...ctx, db: tx }, inviteMail(ctx.settings.dashboardUrl, email, token, shown));
}
