import { countOrRefuse } from '#platform/attempts/attempt-limits.ts';
import { inTransaction } from '#platform/db/database.ts';
import { conflict, forbidden } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { addWorkspace } from '../create-workspace.ts';
import { recordSecurityEvent } from '../security-log/record-security-event.ts';
import type { SendSystemMail } from '../wiring.ts';
import { verifyEmailMail } from './account-mails.ts';
import { openSession, type SessionStart, type SignedIn } from './sessions/open-session.ts';
import { hashPassword } from './passwords/password-hash.ts';
import { insertUser } from './queries.ts';
import { registerLimit } from './sign-in-throttle.ts';
import { actorOfUser, readEmail } from './user.ts';
import { issueUserToken } from './user-token.ts';

/** Makes an account with a workspace of its own. Only where the operator has opened sign-up. */
export async function registerUser(
  ctx: Ctx,
  input: { email: string; password: string; name?: string; workspaceName?: string; start: SessionStart },
  sendSystemMail: SendSystemMail,
): Promise<SignedIn> {
  if (ctx.settings.signup !== 'open') {
    throw forbidden('Sign-up is closed here. Ask an owner of a workspace for an invitation.');
  }
  const now = ctx.clock.now();
  const email = readEmail(input.email);
  await countOrRefuse(ctx, [registerLimit(ctx.ip)], now);
  const passwordHash = await hashPassword(input.password);
  return inTransaction(ctx.db, async (tx) => {
    const name = input.name ?? null;
    const user = await insertUser(tx, { id: newId(), email, name, passwordHash, emailVerifiedAt: null, now });
    if (user === undefined) throw conflict('There is an account with this address already. Sign in.', 'email');
    const workspaceName = input.workspaceName ?? `${name ?? email.split('@', 1)[0]}'s workspace`;
    const workspace = await addWorkspace(tx, { name: workspaceName, ownerId: user.id, now });
    await recordSecurityEvent(
      tx,
      { ...ctx, actor: actorOfUser(user), workspaceId: workspace.id },
      { action: 'user.registered', targetType: 'user', targetId: user.id },
    );
    const token = await issueUserToken(tx, user.id, 'verify_email', now);
    await sendSystemMail({ ...ctx, db: tx }, verifyEmailMail(ctx.settings.dashboardUrl, email, token));
    return openSession(ctx, tx, user, input.start);
  });
}
