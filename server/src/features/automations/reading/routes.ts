import { newslettersOfKey } from '#features/workspaces';
import { readAddress } from '#mail/addresses/read-address.ts';
import { notFound } from '#platform/errors/app-error.ts';
import { answerPage, EXACT_TOTAL_MAX, listEnvelope, readPage } from '#platform/http/paging.ts';
import { type Route, route } from '#platform/http/route.ts';
import { isUuid } from '#platform/ids.ts';
import { getAutomation } from '../defining/get-automation.ts';
import { receiveEvent, startRun, startTest } from '../hearing/receive-event.ts';
import { cancelRuns } from './cancel-runs.ts';
import { countRuns, findRun, listStepRecords, pageOfRuns } from './queries.ts';
import { readEvent, readStartRun } from './read-bodies.ts';
import { runView, runWithSteps } from './run-view.ts';
import * as schemas from './schemas.ts';
import { AutomationParams } from '../schemas.ts';

const tag = 'Automations';
const one = { tag, params: AutomationParams } as const;
const readers = { scope: 'automations:read' } as const;
const writers = { scope: 'automations:write' } as const;
const PERSON = { email: 'ada@example.com', payload: { order_id: '42' } };

export const runRoutes = (): Route[] => [
  route({
    ...one,
    path: '/v1/automations/:id/runs',
    method: 'GET',
    id: 'list_automation_runs',
    summary: 'List the runs of an automation',
    description: 'Newest first, without their steps.',
    access: readers,
    query: schemas.RunsQuery,
    response: listEnvelope(schemas.RunSummary),
    errors: [404],
    handler: async (ctx, { params, query, request }) => {
      const { id } = await getAutomation(ctx, params.id);
      const page = readPage(query);
      const { after, offset } = page;
      const email = query.email === undefined ? null : readAddress(query.email, 'email').identity;
      const newsletterIds = newslettersOfKey(ctx.actor);
      const asked = { automationId: id, status: query.status ?? null, email, newsletterIds };
      const rows = await pageOfRuns(ctx.db, ctx.workspaceId, { ...asked, after, offset, limit: page.limit + 1 });
      const total = after === null ? await countRuns(ctx.db, ctx.workspaceId, asked, EXACT_TOTAL_MAX + 1) : null;
      const totalIsEstimate = total !== null && total > EXACT_TOTAL_MAX;
      return answerPage(page, rows.map(runView), { total, totalIsEstimate, url: request.url });
    },
  }),
  route({
    tag,
    params: schemas.RunParams,
    path: '/v1/automations/:id/runs/:runId',
    method: 'GET',
    id: 'get_automation_run',
    summary: 'Read a run',
    description: 'With a record of each step that was reached.',
    access: readers,
    response: schemas.RunRecord,
    errors: [404],
    handler: async (ctx, { params }) => {
      const { id } = await getAutomation(ctx, params.id);
      const { runId } = params;
      const asked = { automationId: id, runId, newsletterIds: newslettersOfKey(ctx.actor) };
      const run = isUuid(runId) ? await findRun(ctx.db, ctx.workspaceId, asked) : undefined;
      if (run === undefined) throw notFound('run of this automation', runId);
      return runWithSteps(run, await listStepRecords(ctx.db, ctx.workspaceId, runId));
    },
  }),
  route({
    ...one,
    path: '/v1/automations/:id/runs',
    method: 'POST',
    id: 'start_automation_run',
    summary: 'Start a run',
    description:
      'Of an enabled automation, whatever its trigger. The caller also needs the scope `emails:send`. With a test key ' +
      'its emails stay on the server. 403 while the workspace is paused, as for new mail.',
    access: { ...writers, newMail: true },
    status: 202,
    body: { json: schemas.StartRunBody, read: readStartRun },
    example: { body: PERSON },
    response: schemas.Started,
    errors: [404, 422],
    handler: async (ctx, { params, body }) => ({ success: true, run_id: await startRun(ctx, params.id, body) }),
  }),
  route({
    ...one,
    path: '/v1/automations/:id/test',
    method: 'POST',
    id: 'test_automation',
    summary: 'Test an automation',
    description:
      'Sends one address all emails of a run at once: waits pass, conditions count, nobody else is called, and the ' +
      'subjects begin with [Test]. It also works while the automation is disabled, and counts in no figures.',
    access: { ...writers, newMail: true },
    status: 202,
    body: { json: schemas.StartRunBody, read: readStartRun },
    example: { body: PERSON },
    response: schemas.Started,
    errors: [404, 422, 429],
    handler: async (ctx, { params, body }) => ({ success: true, run_id: await startTest(ctx, params.id, body) }),
  }),
  route({
    ...one,
    path: '/v1/automations/:id/runs/cancel',
    method: 'POST',
    id: 'cancel_automation_runs',
    summary: 'Cancel runs',
    description: 'Ends the active runs that the filter finds, all without one. Emails that were accepted are sent.',
    access: writers,
    body: { json: schemas.CancelBody, optional: true },
    example: { body: { filter: { email: 'ada@example.com' } } },
    response: schemas.Cancelled,
    errors: [404],
    handler: async (ctx, { params, body }) => {
      const { email, version } = body?.filter ?? {};
      const filter = { ...(email === undefined ? {} : { email }), ...(version === undefined ? {} : { version }) };
      return { success: true, cancelled: await cancelRuns(ctx, params.id, filter) };
    },
  }),
  route({
    tag,
    path: '/v1/events',
    method: 'POST',
    id: 'send_event',
    summary: 'Tell an event of your own',
    description:
      'Automations whose trigger is `event:<name>` start, and runs that wait for it go on, before the answer. Segments ' +
      'know it as `received_event:<name>` when the person is a contact. With a test key, only runs of test keys.',
    access: { scope: 'events:write' },
    body: { json: schemas.EventBody, read: readEvent },
    example: { body: { name: 'order.paid', ...PERSON } },
    response: schemas.EventHeard,
    errors: [422],
    handler: async (ctx, { body }) => {
      const { started, resumed, ended } = await receiveEvent(ctx, body);
      return { success: true, started: started.length, resumed, ended };
    },
  }),
];
