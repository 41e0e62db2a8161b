import { Type } from 'typebox';
import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { answerPage, listEnvelope, pageQuery, readPage } from '#platform/http/paging.ts';
import { checkIfMatch, type RecordVersion, recordVersion } from '#platform/http/record-version.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { CheckGoverned, WorkspaceGovernance } from './govern-workspace.ts';
import { countAllWorkspaces, findWorkspace, lockWorkspace, pageAllWorkspaces } from '../queries.ts';
import { InstanceWorkspace, WorkspaceParams } from '../schemas.ts';
import { type Workspace, workspaceView } from '../workspace.ts';
import { requireOperator } from './require-operator.ts';

interface InstanceWiring {
  /** Of the outbox, which stops and gives back the mail. */
  setSending(
    ctx: Ctx,
    source: Ctx,
    workspaceId: string,
    change: WorkspaceGovernance,
    check?: CheckGoverned,
  ): Promise<{ workspace: Workspace; stillLeaving: number }>;
}

const ChangeBody = Type.Object({
  status: Type.Optional(
    Type.Enum(['active', 'paused', 'blocked'], {
      description:
        'paused: sends are refused with 403 and waiting mail is held. blocked: waiting mail is cancelled too.',
      examples: ['paused'],
    }),
  ),
  emails_per_month: Type.Optional(
    Type.Union([Type.Integer({ minimum: 0, maximum: 2_000_000_000 }), Type.Null()], {
      description: 'The quota: recipients a calendar month (UTC). null: none.',
      examples: [100_000],
    }),
  ),
});

const Changed = Type.Object(
  {
    workspace: InstanceWorkspace,
    still_leaving: Type.Integer({
      description: 'Emails that a worker was handing over and whose outcome is not known yet; 0 as a rule.',
      examples: [0],
    }),
  },
  { title: 'GovernedWorkspace', additionalProperties: false },
);

const version = recordVersion(ChangeBody, (ctx, { id = '' }) => lockWorkspace(ctx.db, id));
const versionInside: RecordVersion = { ...version, inside: 'workspace' };

/** For the operator of the instance: the owners of the home workspace. */
export const instanceRoutes = ({ setSending }: InstanceWiring): Route[] => [
  route({
    method: 'GET',
    path: '/instance/workspaces',
    id: 'list_instance_workspaces',
    tag: 'Workspaces',
    summary: 'List all workspaces of the instance',
    description: 'Owners of the home workspace.',
    access: 'user',
    permit: requireOperator,
    query: Type.Object(pageQuery),
    response: listEnvelope(InstanceWorkspace),
    handler: async (ctx, { query, request }) => {
      const page = readPage(query);
      const rows = await pageAllWorkspaces(ctx.db, page);
      const total = page.after === null ? await countAllWorkspaces(ctx.db) : null;
      return answerPage(
        page,
        rows.map((row) => workspaceView(row, ctx.settings.edition)),
        { total, url: request.url },
      );
    },
  }),
  route({
    method: 'GET',
    path: '/instance/workspaces/:id',
    id: 'get_instance_workspace',
    version,
    tag: 'Workspaces',
    summary: 'Read a workspace of the instance',
    description: 'Owners of the home workspace.',
    access: 'user',
    permit: requireOperator,
    params: WorkspaceParams,
    response: InstanceWorkspace,
    errors: [404],
    handler: async (ctx, { params }) => {
      const workspace = await findWorkspace(ctx.db, params.id);
      if (workspace === undefined) throw notFound('workspace', params.id);
      return workspaceView(workspace, ctx.settings.edition);
    },
  }),
  route({
    method: 'PATCH',
    path: '/instance/workspaces/:id',
    id: 'govern_workspace',
    version: versionInside,
    tag: 'Workspaces',
    summary: 'Pause, block or activate a workspace, or set its quota',
    description:
      'Owners of the home workspace. After the answer nothing of a paused or blocked workspace leaves, except ' +
      '`still_leaving`. Other processes refuse new sends within a second. The home workspace cannot be blocked: 409.',
    access: 'user',
    permit: requireOperator,
    outsideTransaction: true,
    params: WorkspaceParams,
    body: { json: ChangeBody },
    example: { body: { status: 'paused' } },
    response: Changed,
    errors: [404, 409],
    handler: async (ctx, { params, body, request }) => {
      const match = request.headers['if-match'];
      const change = {
        ...(body.status === undefined ? {} : { status: body.status }),
        ...(body.emails_per_month === undefined ? {} : { emailsPerMonth: body.emails_per_month }),
      };
      const { workspace, stillLeaving } = await setSending(ctx, ctx, params.id.toLowerCase(), change, (before) => {
        if (match !== undefined) checkIfMatch(match, version, workspaceView(before, ctx.settings.edition));
      });
      return { workspace: workspaceView(workspace, ctx.settings.edition), still_leaving: stillLeaving };
    },
  }),
];
