import { Type } from 'typebox';
import type { Actor, Ctx } from '#platform/http/context.ts';
import { readEach } from '#platform/http/fields/read-meaning.ts';
import { answerPage, listEnvelope, pageQuery, readPage } from '#platform/http/paging.ts';
import { type Route, route } from '#platform/http/route.ts';
import { authenticateUser } from '../accounts/sessions/authenticate-user.ts';
import { signedInView } from '../accounts/sessions/open-session.ts';
import { readEmail } from '../accounts/user.ts';
import { Success, WorkspaceParams } from '../schemas.ts';
import type { WorkspacesWiring } from '../wiring.ts';
import { membershipView } from '../workspace.ts';
import { getManagedWorkspace } from '../workspace-access.ts';
import { acceptInvite } from './accept-invite.ts';
import { createInvite } from './create-invite.ts';
import { countOpenInvites, type Invite, pageOpenInvites } from './queries.ts';
import * as schemas from './schemas.ts';
import { withdrawInvite } from './withdraw-invite.ts';

const TAG = 'Workspaces';

const inviteView = (invite: Invite) => ({
  id: invite.id,
  email: invite.email,
  role: invite.role,
  invited_by: invite.invitedBy,
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
    description: 'Owners and admins. The link goes to the address alone; it works once, for seven days.',
    access: 'user',
    status: 201,
    params: WorkspaceParams,
    body: {
      json: schemas.CreateInviteBody,
      read: readEach<typeof schemas.CreateInviteBody>({ email: (email) => readEmail(email) }),
    },
    example: { body: { email: 'bob@example.com', role: 'developer' } },
    response: schemas.Invite,
    errors: [404, 409],
    handler: async (ctx, { params, body }) =>
      inviteView(await createInvite(ctx, params.id, body, wiring.sendSystemMail)),
  }),
  route({
    method: 'GET',
    path: '/workspaces/:id/invites',
    id: 'list_invites',
    tag: TAG,
    summary: 'List open invitations',
    description: 'Owners and admins.',
    access: 'user',
    params: WorkspaceParams,
    query: Type.Object(pageQuery),
    response: listEnvelope(schemas.Invite),
    errors: [404],
    handler: async (ctx, { params, query, request }) => {
      const workspace = await getManagedWorkspace(ctx, ctx.db, params.id);
      const page = readPage(query);
      const now = ctx.clock.now();
      const rows = await pageOpenInvites(ctx.db, workspace.id, { ...page, now });
      const total = page.after === null ? await countOpenInvites(ctx.db, workspace.id, now) : null;
      return answerPage(page, rows.map(inviteView), { total, url: request.url });
    },
  }),
  route({
    method: 'DELETE',
    path: '/workspaces/:id/invites/:inviteId',
    id: 'revoke_invite',
    tag: TAG,
    summary: 'Revoke an invitation',
    access: 'user',
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
      '(`Authorization: Bearer`); without it the answer is 401.',
    access: 'public',
    params: schemas.InviteTokenParams,
    body: { json: schemas.AcceptInviteBody, optional: true },
    example: { body: { password: 'correct horse battery', name: 'Bob' } },
    response: schemas.AcceptedInvite,
    errors: [401, 403, 404, 429],
    handler: async (ctx, { params, body, request }) => {
      const actor = await signedInActor(ctx, request.headers.authorization);
      const input = { token: params.token, ...body, session: { userAgent: request.headers['user-agent'] } };
      const { membership, signedIn } = await acceptInvite(ctx, input, actor);
      const workspace = membershipView(membership, ctx.settings.edition);
      if (signedIn === undefined) return { success: true, workspace };
      const { token, refresh_token } = await signedInView(ctx, signedIn, membership.id);
      return { success: true, workspace, token, refresh_token };
    },
  }),
];

/** The route is open to strangers, so the token of somebody who has an account is read here. */
async function signedInActor(ctx: Ctx, authorization: string | undefined): Promise<Actor | undefined> {
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  return token === undefined ? undefined : authenticateUser(ctx, token, undefined);
}
