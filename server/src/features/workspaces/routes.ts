import { Type } from 'typebox';
import { readEach } from '#platform/http/fields/read-meaning.ts';
import { answerPage, listEnvelope, pageQuery, readPage } from '#platform/http/paging.ts';
import { recordVersion } from '#platform/http/record-version.ts';
import { type Route, route } from '#platform/http/route.ts';
import { changeWorkspace } from './change-workspace.ts';
import { createWorkspace, permitNewWorkspace } from './create-workspace.ts';
import { deleteWorkspace } from './delete-workspace.ts';
import { countWorkspacesOfUser, lockWorkspace, pageWorkspacesOfUser } from './queries.ts';
import {
  CreateWorkspaceBody,
  Success,
  UpdateWorkspaceBody,
  WorkspaceOfMember,
  WorkspaceParams,
  WorkspaceUsage,
} from './schemas.ts';
import type { WorkspacesWiring } from './wiring.ts';
import { membershipView, readTimezone } from './workspace.ts';
import { getMembership, permitManagers, permitOwners, userIdOf } from './workspace-access.ts';
import { workspaceUsage } from './workspace-usage.ts';

const version = recordVersion(UpdateWorkspaceBody, (ctx, { id = '' }) => lockWorkspace(ctx.db, id));

export const workspaceRoutes = (wiring: WorkspacesWiring): Route[] => [
  route({
    method: 'POST',
    path: '/workspaces',
    id: 'create_workspace',
    version,
    tag: 'Workspaces',
    summary: 'Create a workspace',
    description: 'The caller becomes its owner. Where sign-up is closed, only owners of a workspace may do this.',
    access: 'user',
    permit: permitNewWorkspace,
    status: 201,
    body: { json: CreateWorkspaceBody, read: readEach<typeof CreateWorkspaceBody>({ timezone: readTimezone }) },
    example: { body: { name: 'Acme', timezone: 'Europe/Berlin' } },
    response: WorkspaceOfMember,
    errors: [409],
    handler: async (ctx, { body }) =>
      membershipView(await createWorkspace(ctx, userIdOf(ctx), body), ctx.settings.edition),
  }),
  route({
    method: 'GET',
    path: '/workspaces',
    id: 'list_workspaces',
    tag: 'Workspaces',
    summary: 'List your workspaces',
    access: 'user',
    query: Type.Object(pageQuery),
    response: listEnvelope(WorkspaceOfMember),
    handler: async (ctx, { query, request }) => {
      const page = readPage(query);
      const rows = await pageWorkspacesOfUser(ctx.db, userIdOf(ctx), page);
      const total = page.after === null ? (await countWorkspacesOfUser(ctx.db, userIdOf(ctx))).total : null;
      return answerPage(
        page,
        rows.map((row) => membershipView(row, ctx.settings.edition)),
        { total, url: request.url },
      );
    },
  }),
  route({
    method: 'GET',
    path: '/workspaces/:id',
    id: 'get_workspace',
    version,
    tag: 'Workspaces',
    summary: 'Read a workspace',
    access: 'user',
    params: WorkspaceParams,
    response: WorkspaceOfMember,
    errors: [404],
    handler: async (ctx, { params }) =>
      membershipView(await getMembership(ctx, ctx.db, params.id), ctx.settings.edition),
  }),
  route({
    method: 'PATCH',
    path: '/workspaces/:id',
    id: 'update_workspace',
    version,
    tag: 'Workspaces',
    summary: 'Change a workspace: its name, time zone, and what it tracks',
    description: 'Owners and admins.',
    access: 'user',
    permit: permitManagers,
    params: WorkspaceParams,
    body: { json: UpdateWorkspaceBody, read: readEach<typeof UpdateWorkspaceBody>({ timezone: readTimezone }) },
    example: { body: { name: 'Acme', track_opens: true } },
    response: WorkspaceOfMember,
    errors: [404],
    handler: async (ctx, { params, body }) =>
      membershipView(await changeWorkspace(ctx, params.id, body), ctx.settings.edition),
  }),
  route({
    method: 'GET',
    path: '/workspaces/:id/usage',
    id: 'get_workspace_usage',
    tag: 'Workspaces',
    summary: 'Read how much of its quota a workspace has used',
    access: 'user',
    params: WorkspaceParams,
    response: WorkspaceUsage,
    errors: [404],
    handler: (ctx, { params }) => workspaceUsage(ctx, params.id),
  }),
  route({
    method: 'DELETE',
    path: '/workspaces/:id',
    id: 'delete_workspace',
    version,
    tag: 'Workspaces',
    summary: 'Delete a workspace with everything in it',
    description: 'Owners only. The workspace of the first start sends the mail of the installation and stays: 409.',
    access: 'user',
    permit: permitOwners,
    params: WorkspaceParams,
    response: Success,
    errors: [404, 409],
    handler: async (ctx, { params }) => {
      await deleteWorkspace(ctx, params.id, wiring.beforeWorkspaceDeleted ?? []);
      return { success: true };
    },
  }),
];
