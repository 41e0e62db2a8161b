import { type Db, inTransaction } from '#platform/db/database.ts';
import { forbidden, invalid, unauthenticated } from '#platform/errors/app-error.ts';
import type { Actor, Ctx } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { openSession, type SessionStart, type SignedIn } from '../accounts/sessions/open-session.ts';
import { hashPassword } from '../accounts/passwords/password-hash.ts';
import { findUserByEmail, insertUser, markEmailVerified } from '../accounts/queries.ts';
import type { CodeKind } from '../accounts/two-factor/use-code.ts';
import { actorOfUser, type User } from '../accounts/user.ts';
import { hashOfLinkToken } from '../accounts/user-token.ts';
import { findMembership, insertMember } from '../queries.ts';
import { recordSecurityEvent } from '../security-log/record-security-event.ts';
import type { Membership } from '../workspace.ts';
import { noSuchInvite } from './no-such-invite.ts';
import { lockOpenInvite, markInviteAccepted, type OpenInvite } from './queries.ts';

export interface AcceptedInvite {
  membership: Membership;
  /** Only for an account that was made now, when a session was asked for: whoever had one is signed in already. */
  signedIn: SignedIn | undefined;
}

/**
 * Accepts an invitation. The link proves that the mailbox is theirs. A new address makes its account with a password
 * of its choice. An address that has an account must be signed in to it: otherwise somebody who had registered a
 * stranger's address before would be let in by the stranger's invitation.
 */
export async function acceptInvite(
  ctx: Ctx,
  input: {
    token: string;
    password?: string;
    name?: string;
    /** For a new account; null where nobody would keep its tokens. */
    session: SessionStart | null;
    /** The kind of code that was given with the password. */
    secondFactor?: CodeKind;
  },
  actor: Pick<Actor, 'id' | 'email'> | undefined,
): Promise<AcceptedInvite> {
  const now = ctx.clock.now();
  const hash = hashOfLinkToken(input.token);
  if (hash === undefined) throw noSuchInvite();
  const passwordHash = input.password === undefined ? undefined : await hashPassword(input.password);
  return inTransaction(ctx.db, async (tx) => {
    const invite = await lockOpenInvite(tx, hash, now);
    if (invite === undefined) throw noSuchInvite();
    if (actor !== undefined && actor.email !== invite.email) {
      throw forbidden('This invitation is for another address than the one you are signed in with.');
    }
    const known = await findUserByEmail(tx, invite.email);
    if (known !== undefined && actor?.id !== known.id) {
      throw unauthenticated('There is an account with this address. Sign in to it, then accept the invitation.');
    }
    const user = known ?? (await makeUser(tx, invite, passwordHash, input.name, now));
    await markEmailVerified(tx, user.id, now);
    const session = known === undefined ? input.session : null;
    return join(ctx, tx, { invite, user, session, secondFactor: input.secondFactor });
  });
}

interface Joining {
  invite: OpenInvite;
  user: User;
  session: SessionStart | null;
  secondFactor: CodeKind | undefined;
}

async function join(ctx: Ctx, tx: Db, joining: Joining): Promise<AcceptedInvite> {
  const { invite, user, session, secondFactor } = joining;
  const now = ctx.clock.now();
  const { workspaceId, role } = invite;
  const details = { role, ...(secondFactor === undefined ? {} : { second_factor: secondFactor }) };
  await insertMember(tx, { workspaceId, userId: user.id, role, now });
  await markInviteAccepted(tx, workspaceId, invite.id, now);
  await recordSecurityEvent(
    tx,
    { ...ctx, actor: actorOfUser(user), workspaceId },
    { action: 'invite.accepted', targetType: 'invite', targetId: invite.id, details },
  );
  const membership = await findMembership(tx, workspaceId, user.id);
  if (membership === undefined) throw new Error('a member who was just added is not there');
  const signedIn = session === null ? undefined : await openSession(ctx, tx, user, session);
  return { membership, signedIn };
}

async function makeUser(
  tx: Db,
  invite: OpenInvite,
  passwordHash: string | undefined,
  name: string | undefined,
  now: Date,
): Promise<User> {
  if (passwordHash === undefined) throw invalid('password', 'password is required to make your account');
  const user = await insertUser(tx, {
    id: newId(),
    email: invite.email,
    name: name ?? null,
    passwordHash,
    emailVerifiedAt: now,
    now,
  });
  if (user === undefined) throw unauthenticated('An account with this address was just made. Sign in, then accept.');
  return user;
}
