import { searchAsStored } from '#mail/addresses/search-as-stored.ts';
import { answerPage, EXACT_TOTAL_MAX, listEnvelope, readPage } from '#platform/http/paging.ts';
import { recordVersion } from '#platform/http/record-version.ts';
import { type Route, route } from '#platform/http/route.ts';
import { WorkspaceParams } from '../schemas.ts';
import { lockWorkspace } from '../queries.ts';
import { getMembership, permitManagers, permitManagersAndSelf } from '../workspace-access.ts';
import { changeMemberRole } from './change-member-role.ts';
import { getMember } from './get-member.ts';
import { countMembers, type Member, pageMembers } from './queries.ts';
import { removeMember } from './remove-member.ts';
import * as schemas from './schemas.ts';
import type { WorkspacesWiring } from '../wiring.ts';

/** Every change of a member locks its workspace. */
const version = recordVersion(schemas.ChangeMemberBody, (ctx, { id = '' }) => lockWorkspace(ctx.db, id));

const TAG = 'Workspaces';

const memberView = (member: Member) => ({
  id: member.userId,
  user_id: member.userId,
  email: member.email,
  name: member.name,
  role: member.role,
  joined_at: member.joinedAt.toISOString(),
  last_seen_at: member.lastSeenAt?.toISOString() ?? null,
});

export const memberRoutes = ({ listKeysOf }: WorkspacesWiring): Route[] => [
  route({
    method: 'GET',
    path: '/workspaces/:id/members',
    id: 'list_members',
    tag: TAG,
    summary: 'List members',
    access: 'user',
    params: WorkspaceParams,
    query: schemas.MembersQuery,
    response: listEnvelope(schemas.Member),
    errors: [404],
    handler: async (ctx, { params, query, request }) => {
      const workspace = await getMembership(ctx, ctx.db, params.id);
      const page = readPage(query);
      const filter = { role: query.role ?? null, search: searchAsStored(query.search ?? '') || null };
      const rows = await pageMembers(ctx.db, workspace.id, { ...page, ...filter });
      const total = page.after === null ? await countMembers(ctx.db, workspace.id, filter, EXACT_TOTAL_MAX + 1) : null;
      const totalIsEstimate = total !== null && total > EXACT_TOTAL_MAX;
      return answerPage(page, rows.map(memberView), { total, url: request.url, totalIsEstimate });
    },
  }),
  route({
    method: 'GET',
    path: '/workspaces/:id/members/:userId',
    id: 'get_member',
    version,
    tag: TAG,
    summary: 'Read a member',
    access: 'user',
    params: schemas.MemberParams,
    response: schemas.Member,
    errors: [404],
    handler: async (ctx, { params }) => {
      const workspace = await getMembership(ctx, ctx.db, params.id);
      return memberView(await getMember(ctx.db, workspace.id, params.userId));
    },
  }),
  route({
    method: 'PATCH',
    path: '/workspaces/:id/members/:userId',
    id: 'change_member_role',
    version,
    tag: TAG,
    summary: 'Give a member another role',
    description: 'Owners and admins; only owners make or change owners. The last owner cannot be demoted: 409.',
    access: 'user',
    permit: permitManagers,
    params: schemas.MemberParams,
    body: { json: schemas.ChangeMemberBody },
    example: { body: { role: 'developer' } },
    response: schemas.Member,
    errors: [404, 409],
    handler: async (ctx, { params, body }) =>
      memberView(await changeMemberRole(ctx, params.id, params.userId, body.role)),
  }),
  route({
    method: 'DELETE',
    path: '/workspaces/:id/members/:userId',
    id: 'remove_member',
    version,
    tag: TAG,
    summary: 'Remove a member, or leave',
    description:
      'Their tokens stop at once. API keys belong to the workspace and go on working: `api_keys` names those that the ' +
      'member made, at most 100, so that you can revoke them. Everybody may leave; the last owner cannot: 409.',
    access: 'user',
    permit: permitManagersAndSelf,
    params: schemas.MemberParams,
    response: schemas.MemberRemoved,
    errors: [404, 409],
    handler: async (ctx, { params }) => {
      const keys = await removeMember(ctx, params.id, params.userId, listKeysOf);
      return { success: true, api_keys: keys.map(({ id, name }) => ({ id, name })) };
    },
  }),
];
