import type { Db } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { findFirstWorkspaceOfUser, findMembership, pageWorkspacesOfUser } from '../../queries.ts';
import { membershipView } from '../../workspace.ts';
import { signAccessToken } from './access-token.ts';
import { markMemberSeen } from '../queries.ts';
import { cookieWith } from './session-cookie.ts';
import { insertSession } from './session-queries.ts';
import { issueSessionToken, type TokenKind } from './session-token.ts';
import { type User, userView } from '../user.ts';

/** A sign-in that is not used for this long ends by itself. */
const SESSION_DAYS = 30;
const USER_AGENT_CHARS_MAX = 256;
/** The list in the answer of a sign-in; whoever is in more finds the rest at GET /workspaces. */
const WORKSPACES_SHOWN = 100;

export const sessionExpiry = (now: Date): Date => new Date(now.getTime() + SESSION_DAYS * 86_400_000);

export interface SignedIn {
  user: User;
  sessionId: string;
  /** The secret of the session: a refresh token, or the value of a cookie. */
  token: string;
  kind: TokenKind;
}

/** How a session is to be kept: programs hold two tokens, browsers a cookie. */
export interface SessionStart {
  userAgent: string | undefined;
  kind: TokenKind;
}

/** Starts a session for somebody who has just proved who they are. */
export async function openSession(ctx: Ctx, tx: Db, user: User, start: SessionStart): Promise<SignedIn> {
  const now = ctx.clock.now();
  const sessionId = newId();
  const { token, hash } = issueSessionToken(ctx.secrets, start.kind, sessionId);
  await insertSession(tx, {
    id: sessionId,
    userId: user.id,
    refreshHash: hash,
    userAgent: start.userAgent?.slice(0, USER_AGENT_CHARS_MAX) ?? null,
    ip: ctx.ip,
    now,
    expiresAt: sessionExpiry(now),
  });
  await markMemberSeen(tx, user.id, now);
  return { user, sessionId, token, kind: start.kind };
}

/** The workspace a token is for: the one asked for when the person is in it, else the first they joined. */
async function activeWorkspace(db: Db, userId: string, asked: string | undefined): Promise<string | null> {
  if (asked !== undefined && (await findMembership(db, asked, userId)) !== undefined) return asked.toLowerCase();
  return (await findFirstWorkspaceOfUser(db, userId)) ?? null;
}

/** The answer of sign-in, sign-up and refresh. With a cookie it holds nothing that a script could steal. */
export async function signedInView(ctx: Ctx, signedIn: SignedIn, askedWorkspace?: string) {
  const { user } = signedIn;
  const workspaceId = await activeWorkspace(ctx.db, user.id, askedWorkspace);
  const memberships = await pageWorkspacesOfUser(ctx.db, user.id, { limit: WORKSPACES_SHOWN, offset: 0, after: null });
  return {
    ...(await tokensOf(ctx, signedIn, workspaceId)),
    workspace_id: workspaceId,
    user: userView(user),
    workspaces: memberships.slice(0, WORKSPACES_SHOWN).map((one) => membershipView(one, ctx.settings.edition)),
  };
}

/** The tokens of an answer; none for a browser. */
export async function tokensOf(
  ctx: Ctx,
  { user, sessionId, token, kind }: SignedIn,
  workspaceId: string | null,
): Promise<{ token?: string; refresh_token?: string }> {
  if (kind === 'cookie') return {};
  const claims = { userId: user.id, sessionId, workspaceId };
  return { token: await signAccessToken(ctx.secrets, claims, ctx.clock.now()), refresh_token: token };
}

export const cookieHeader = ({ settings }: Ctx, { token, kind }: SignedIn): Record<string, string> =>
  kind === 'cookie' ? { 'set-cookie': cookieWith(settings, token) } : {};
