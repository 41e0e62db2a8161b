import { Type } from 'typebox';
import type { Ctx } from '#platform/http/context.ts';
import { recordVersion } from '#platform/http/record-version.ts';
import { type Route, route } from '#platform/http/route.ts';
import { changeWebhook, readChange } from './change-webhook.ts';
import { createWebhook, readWebhook } from './create-webhook.ts';
import { openSecret } from './endpoint-secret.ts';
import { getWebhook } from './get-webhook.ts';
import { removeWebhook } from './remove-webhook.ts';
import { rotateSecret } from './rotate-secret.ts';
import * as schemas from './schemas.ts';
import { testWebhook } from './testing/test-webhook.ts';
import { readNewWebhook, readTest, readWebhookChange } from './webhook-input.ts';
import { listWebhooks, lockWebhook } from './webhook-queries.ts';
import { isWithinKey, type Webhook, WEBHOOKS_MAX, webhookView } from './webhook.ts';
import type { WebhookPorts } from './wiring.ts';

const version = recordVersion(schemas.UpdateWebhookBody, (ctx, { id = '' }) =>
  lockWebhook(ctx.db, ctx.workspaceId, id),
);

const view = (ctx: Ctx, webhook: Webhook) => webhookView(webhook, openSecret(ctx.secrets, webhook.secret), ctx.actor);

const one = { tag: 'Webhooks', params: schemas.WebhookParams } as const;

export const webhookRoutes = (ports: WebhookPorts): Route[] => [
  route({
    method: 'GET',
    path: '/v1/webhooks',
    id: 'list_webhooks',
    tag: 'Webhooks',
    summary: 'List webhooks',
    description: `All webhooks, newest first, with their secrets. A workspace has at most ${WEBHOOKS_MAX}.`,
    access: { scope: 'webhooks:read' },
    response: Type.Array(schemas.WebhookRecord),
    handler: async (ctx) => {
      const webhooks = await listWebhooks(ctx.db, ctx.workspaceId);
      return webhooks.filter((webhook) => isWithinKey(ctx.actor, webhook)).map((webhook) => view(ctx, webhook));
    },
  }),
  route({
    method: 'POST',
    path: '/v1/webhooks',
    id: 'create_webhook',
    version,
    tag: 'Webhooks',
    summary: 'Create a webhook',
    description: `The secret is generated. Events that happen from now on are delivered. An API key needs the scopes that read the records of these events, for \`*\` those of all types: 403. At most ${WEBHOOKS_MAX} per workspace: 409.`,
    access: { scope: 'webhooks:write' },
    status: 201,
    body: { json: schemas.CreateWebhookBody, read: readNewWebhook },
    example: { body: { url: 'https://example.com/webhooks/posthorn', events: ['delivery', 'bounce', 'complaint'] } },
    response: schemas.WebhookRecord,
    errors: [409, 422],
    prepare: (ctx, { body }) => readWebhook(ctx, body, ports),
    handler: async (ctx, { body, prepared }) => view(ctx, await createWebhook(ctx, body, prepared)),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/v1/webhooks/:id',
    id: 'get_webhook',
    version,
    summary: 'Read a webhook',
    access: { scope: 'webhooks:read' },
    response: schemas.WebhookRecord,
    errors: [404],
    handler: async (ctx, { params }) => view(ctx, await getWebhook(ctx, params.id)),
  }),
  route({
    ...one,
    method: 'PATCH',
    path: '/v1/webhooks/:id',
    id: 'update_webhook',
    version,
    summary: 'Change a webhook',
    description:
      'Only the fields in the body change. Waiting deliveries go to the new URL. To change the URL, the events or the ' +
      'filters, an API key needs the scopes that read the records of the events: 403.',
    access: { scope: 'webhooks:write' },
    body: { json: schemas.UpdateWebhookBody, read: readWebhookChange },
    example: { body: { events: ['*'] } },
    response: schemas.WebhookRecord,
    errors: [404, 422],
    prepare: (ctx, { params, body }) => readChange(ctx, params.id, body, ports),
    handler: async (ctx, { params, body, prepared }) => view(ctx, await changeWebhook(ctx, params.id, body, prepared)),
    // No attempt starts after the answer.
    after: async (ctx, { params, body }) => {
      if (body.enabled === false) await ports.stopDeliveries(ctx, params.id);
    },
  }),
  route({
    ...one,
    method: 'DELETE',
    path: '/v1/webhooks/:id',
    id: 'delete_webhook',
    version,
    summary: 'Delete a webhook',
    description: 'No attempt starts after the answer.',
    access: { scope: 'webhooks:write' },
    response: schemas.Deleted,
    errors: [404],
    handler: async (ctx, { params }) => {
      await removeWebhook(ctx, params.id);
      return { success: true };
    },
    after: (ctx, { params }) => ports.stopDeliveries(ctx, params.id),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/v1/webhooks/:id/test',
    id: 'test_webhook',
    summary: 'Send a sample event to a webhook',
    description:
      'The sample is signed like a delivery and contains `"test": true`. There is one attempt of at most ten ' +
      'seconds. The answer is 200 whatever the receiver answers. A disabled webhook can be tested too.',
    access: { scope: 'webhooks:write' },
    body: { json: schemas.TestWebhookBody, optional: true, read: readTest },
    example: { body: { type: 'bounce' } },
    response: schemas.TestResult,
    errors: [404],
    outsideTransaction: true,
    handler: (ctx, { params, body }) => testWebhook(ctx, params.id, body?.type, ports),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/v1/webhooks/:id/rotate-secret',
    id: 'rotate_webhook_secret',
    version,
    summary: 'Replace the secret of a webhook',
    description: 'During the overlap, each delivery has two signatures: one by the old secret and one by the new one.',
    access: { scope: 'webhooks:write' },
    body: { json: schemas.RotateSecretBody, optional: true },
    example: { body: { overlap_seconds: 3600 } },
    response: schemas.WebhookRecord,
    errors: [404],
    handler: async (ctx, { params, body }) =>
      view(ctx, await rotateSecret(ctx, params.id, body?.overlap_seconds ?? schemas.OVERLAP_DEFAULT_SECONDS)),
  }),
];
