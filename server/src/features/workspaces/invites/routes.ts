import type { Actor, Ctx } from '#platform/http/context.ts';
import { AppError } from '#platform/errors/app-error.ts';
import { readEach } from '#platform/http/fields/read-meaning.ts';
import { answerPage, EXACT_TOTAL_MAX, listEnvelope, readPage } from '#platform/http/paging.ts';
import { answer, type Route, route } from '#platform/http/route.ts';
import { authenticateCookie, authenticateUser } from '../accounts/sessions/authenticate-user.ts';
import type { AskedBy } from '../accounts/sessions/own-pages-only.ts';
import { cookieHeader, tokensOf } from '../accounts/sessions/open-session.ts';
import { sessionOfCookie } from '../accounts/sessions/session-cookie.ts';
import { SessionHeader, sessionStart } from '../accounts/sessions/session-start.ts';
import { readEmail } from '../accounts/user.ts';
import { Success, WorkspaceParams } from '../schemas.ts';
import type { WorkspacesWiring } from '../wiring.ts';
import { membershipView } from '../workspace.ts';
import { getManagedWorkspace, permitManagers } from '../workspace-access.ts';
import { acceptInvite } from './accept-invite.ts';
import { createInvite } from './create-invite.ts';
import { countInvites, type Invite, pageInvites } from './queries.ts';
import { resendInvite } from './resend-invite.ts';
import * as schemas from './schemas.ts';
import { withdrawInvite } from './withdraw-invite.ts';

const TAG = 'Workspaces';

const inviteView = (invite: Invite) => ({
  id: invite.id,
  email: invite.email,
  role: invite.role,
  invited_by: invite.invitedBy,
  invited_by_email: invite.invitedByEmail,
  expires_at: invite.expiresAt.toISOString(),
  created_at: invite.createdAt.toISOString(),
});

export const inviteRoutes = (wiring: WorkspacesWiring): Route[] => [
  route({
    method: 'POST',
    path: '/workspaces/:id/invites',
    id: 'create_invite',
    tag: TAG,
    summary: 'Invite somebody by email',
    description:
      'Owners and admins. The link goes to the address alone; it works once, for seven days. An address that is a ' +
      'member or has an open invitation answers 409. An address gets at most five mails an hour: 429.',
    access: 'user',
    permit: permitManagers,
    status: 201,
    params: WorkspaceParams,
    body: {
      json: schemas.CreateInviteBody,
      read: readEach<typeof schemas.CreateInviteBody>({ email: (email) => readEmail(email) }),
    },
    example: { body: { email: 'bob@example.com', role: 'developer' } },
    response: schemas.Invite,
    errors: [404, 409, 429],
    handler: async (ctx, { params, body }) =>
      inviteView(await createInvite(ctx, params.id, body, wiring.sendSystemMail)),
  }),
  route({
    method: 'GET',
    path: '/workspaces/:id/invites',
    id: 'list_invites',
    tag: TAG,
    summary: 'List invitations that nobody has accepted yet',
    description: 'Owners and admins.',
    access: 'user',
    permit: permitManagers,
    params: WorkspaceParams,
    query: schemas.InvitesQuery,
    response: listEnvelope(schemas.Invite),
    errors: [404],
    handler: async (ctx, { params, query, request }) => {
      const workspace = await getManagedWorkspace(ctx, ctx.db, params.id);
      const page = readPage(query);
      const which = { state: query.state ?? 'open', now: ctx.clock.now() };
      const rows = await pageInvites(ctx.db, workspace.id, { ...page, ...which });
      const total = page.after === null ? await countInvites(ctx.db, workspace.id, which, EXACT_TOTAL_MAX + 1) : null;
      const totalIsEstimate = total !== null && total > EXACT_TOTAL_MAX;
      return answerPage(page, rows.map(inviteView), { total, url: request.url, totalIsEstimate });
    },
  }),
  route({
    method: 'POST',
    path: '/workspaces/:id/invites/:inviteId/resend',
    id: 'resend_invite',
    tag: TAG,
    summary: 'Send an invitation again',
    description:
      'Owners and admins; only owners where it is for an owner. The mail has another link, which works for seven days ' +
      'from now; the link before stops. At most five mails an hour: 429.',
    access: 'user',
    permit: permitManagers,
    params: schemas.InviteParams,
    response: schemas.Invite,
    errors: [404, 429],
    handler: async (ctx, { params }) =>
      inviteView(await resendInvite(ctx, params.id, params.inviteId, wiring.sendSystemMail)),
  }),
  route({
    method: 'DELETE',
    path: '/workspaces/:id/invites/:inviteId',
    id: 'revoke_invite',
    tag: TAG,
    summary: 'Withdraw an invitation',
    access: 'user',
    permit: permitManagers,
    params: schemas.InviteParams,
    response: Success,
    errors: [404],
    handler: async (ctx, { params }) => {
      await withdrawInvite(ctx, params.id, params.inviteId);
      return { success: true };
    },
  }),
  route({
    method: 'POST',
    path: '/invites/:token/accept',
    id: 'accept_invite',
    tag: TAG,
    summary: 'Accept an invitation',
    description:
      'A new address gives a password and gets an account. An address that has an account sends its dashboard token ' +
      '(`Authorization: Bearer`) or its session cookie; without either the answer is 401.',
    access: 'public',
    headers: SessionHeader,
    params: schemas.InviteTokenParams,
    body: { json: schemas.AcceptInviteBody, optional: true },
    example: { body: { password: 'correct horse battery', name: 'Bob' } },
    response: schemas.AcceptedInvite,
    errors: [401, 403, 404, 429],
    handler: async (ctx, { params, body, request }) => {
      const actor = await signedInActor(ctx, request);
      const input = { token: params.token, ...body, session: sessionStart(ctx, request) };
      const { membership, signedIn } = await acceptInvite(ctx, input, actor);
      const workspace = membershipView(membership, ctx.settings.edition);
      if (signedIn === undefined) return { success: true, workspace };
      const tokens = await tokensOf(ctx, signedIn, membership.id);
      return answer({ success: true, workspace, ...tokens }, { headers: cookieHeader(ctx, signedIn) });
    },
  }),
];

/**
 * The route is open to strangers, so the token or the cookie of somebody who has an account is read here. The cookie of
 * a session that is over is left in browsers, and counts as none.
 */
async function signedInActor(ctx: Ctx, { headers, method, ip }: AskedBy & { ip: string }): Promise<Actor | undefined> {
  const token = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  if (token !== undefined) return authenticateUser(ctx, token, undefined);
  if (sessionOfCookie(ctx, headers) === undefined) return undefined;
  return authenticateCookie(ctx, { headers, method, ip }, undefined).catch(nobodyUnlessRefused);
}

function nobodyUnlessRefused(error: unknown): undefined {
  if (error instanceof AppError && error.name === 'authentication_error') return undefined;
  throw error;
}
