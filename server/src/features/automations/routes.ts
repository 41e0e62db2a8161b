import { newslettersOfKey } from '#features/workspaces';
import { answerPage, listEnvelope, readPage } from '#platform/http/paging.ts';
import { recordVersion } from '#platform/http/record-version.ts';
import { type Route, route } from '#platform/http/route.ts';
import { isUuid } from '#platform/ids.ts';
import { automationView, automationViews } from './defining/automation-view.ts';
import { changeAutomation, removeAutomation, switchAutomation } from './defining/change-automation.ts';
import { checkUrls } from './defining/check-definition.ts';
import { createAutomation, duplicateAutomation } from './defining/create-automation.ts';
import { asked, getAutomation } from './defining/get-automation.ts';
import { countAutomations, lockAutomation, pageOfAutomations } from './defining/queries.ts';
import { readAutomationChange, readNewAutomation } from './defining/read-definition.ts';
import * as schemas from './schemas.ts';
import type { AutomationsWiring } from './wiring.ts';

const version = recordVersion(schemas.UpdateAutomationBody, async (ctx, { id = '' }) =>
  isUuid(id) ? lockAutomation(ctx.db, asked(ctx, id)) : undefined,
);

const tag = 'Automations';
const one = { tag, params: schemas.AutomationParams } as const;
const readers = { scope: 'automations:read' } as const;
const writers = { scope: 'automations:write' } as const;

const EXAMPLE_STEPS = [
  { key: 'wait', type: 'delay' as const, config: { duration: '1 day' } },
  {
    key: 'still_out',
    type: 'condition' as const,
    config: { field: 'subscriber.status', op: 'equals' as const, value: 'unsubscribed', else: 'end' },
  },
  { key: 'tell', type: 'webhook' as const, config: { url: 'https://example.com/left' } },
];

export const automationRoutes = (wiring: AutomationsWiring): Route[] => [
  route({
    tag,
    path: '/v1/automations',
    method: 'POST',
    id: 'create_automation',
    version,
    summary: 'Create an automation',
    description:
      'Disabled at first: `POST /v1/automations/:id/enable` lets people in. 422 names a step with a key that is taken, ' +
      'a branch that does not go forward, and a template or newsletter that is not there.',
    access: writers,
    status: 201,
    body: { json: schemas.CreateAutomationBody, read: readNewAutomation },
    example: { body: { name: 'Goodbye', trigger: { type: 'newsletter_unsubscribed' }, steps: EXAMPLE_STEPS } },
    response: schemas.AutomationRecord,
    errors: [409, 422],
    prepare: (_ctx, { body }) => checkUrls(body, wiring.safeFetch),
    handler: async (ctx, { body }) => automationView(ctx, await createAutomation(ctx, body, wiring)),
  }),
  route({
    tag,
    path: '/v1/automations',
    method: 'GET',
    id: 'list_automations',
    summary: 'List automations',
    description: 'Newest first.',
    access: readers,
    query: schemas.AutomationsQuery,
    response: listEnvelope(schemas.AutomationRecord),
    handler: async (ctx, { query, request }) => {
      const page = readPage(query);
      const { after, offset } = page;
      const wanted = {
        status: query.status ?? null,
        search: query.search ?? null,
        newsletterIds: newslettersOfKey(ctx.actor),
      };
      const rows = await pageOfAutomations(ctx.db, ctx.workspaceId, {
        ...wanted,
        after,
        offset,
        limit: page.limit + 1,
      });
      const total = after === null ? await countAutomations(ctx.db, ctx.workspaceId, wanted) : null;
      return answerPage(page, await automationViews(ctx, rows), { total, url: request.url });
    },
  }),
  route({
    ...one,
    path: '/v1/automations/:id',
    method: 'GET',
    id: 'get_automation',
    version,
    summary: 'Read an automation',
    description: 'The version that new runs take, and the figures of all versions.',
    access: readers,
    response: schemas.AutomationRecord,
    errors: [404],
    handler: async (ctx, { params }) => automationView(ctx, await getAutomation(ctx, params.id)),
  }),
  route({
    ...one,
    path: '/v1/automations/:id',
    method: 'PATCH',
    id: 'update_automation',
    version,
    summary: 'Change an automation',
    description:
      'Only the fields in the body change; `steps` replaces all steps. A change of the definition makes the next ' +
      'version: active runs finish on theirs. While it is enabled, the caller also needs the scope `emails:send`.',
    access: writers,
    body: { json: schemas.UpdateAutomationBody, read: readAutomationChange },
    example: { body: { name: 'Goodbye, and come back' } },
    response: schemas.AutomationRecord,
    errors: [404, 409, 422],
    prepare: (_ctx, { body }) => checkUrls(body, wiring.safeFetch),
    handler: async (ctx, { params, body }) => automationView(ctx, await changeAutomation(ctx, params.id, body, wiring)),
  }),
  route({
    ...one,
    path: '/v1/automations/:id',
    method: 'DELETE',
    id: 'delete_automation',
    version,
    summary: 'Delete an automation',
    description: 'With its runs: nothing of them goes on. Emails that were accepted are sent.',
    access: writers,
    response: schemas.Deleted,
    errors: [404, 409],
    handler: async (ctx, { params }) => {
      await removeAutomation(ctx, params.id);
      return { success: true };
    },
  }),
  route({
    ...one,
    path: '/v1/automations/:id/enable',
    method: 'POST',
    id: 'enable_automation',
    changes: { path: '/v1/automations/:id', version },
    version,
    summary: 'Enable an automation',
    description:
      'From now on its trigger lets people in, and held runs go on. 422 when a template was never published or a sender ' +
      'may not send. The caller also needs the scope `emails:send`.',
    access: writers,
    response: schemas.AutomationRecord,
    errors: [404, 422],
    handler: async (ctx, { params }) => automationView(ctx, await switchAutomation(ctx, params.id, 'enabled')),
  }),
  route({
    ...one,
    path: '/v1/automations/:id/disable',
    method: 'POST',
    id: 'disable_automation',
    changes: { path: '/v1/automations/:id', version },
    version,
    summary: 'Disable an automation',
    description: 'Nobody enters any more, and active runs are held where they are.',
    access: writers,
    response: schemas.AutomationRecord,
    errors: [404],
    handler: async (ctx, { params }) => automationView(ctx, await switchAutomation(ctx, params.id, 'disabled')),
  }),
  route({
    ...one,
    path: '/v1/automations/:id/duplicate',
    method: 'POST',
    id: 'duplicate_automation',
    summary: 'Duplicate an automation',
    description: 'Makes another one, disabled, of the version that new runs take.',
    access: writers,
    status: 201,
    body: { json: schemas.DuplicateAutomationBody, optional: true },
    example: { body: { name: 'Goodbye again' } },
    response: schemas.AutomationRecord,
    errors: [404, 409, 422],
    handler: async (ctx, { params, body }) =>
      automationView(ctx, await duplicateAutomation(ctx, params.id, body ?? {}, wiring)),
  }),
];
