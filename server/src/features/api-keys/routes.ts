import { Type } from 'typebox';
import { answerPage, listEnvelope, pageQuery, readPage } from '#platform/http/paging.ts';
import { recordVersion } from '#platform/http/record-version.ts';
import { type Route, route } from '#platform/http/route.ts';
import { apiKeyView } from './api-key.ts';
import { changeApiKey } from './change-api-key.ts';
import { createApiKey } from './create-api-key.ts';
import { getApiKey } from './get-api-key.ts';
import { readKeyChange, readNewKey } from './key-input.ts';
import { countApiKeys, lockApiKey, pageApiKeys } from './queries.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import { rotateApiKey } from './rotate-api-key.ts';
import * as schemas from './schemas.ts';
import type { KeyPorts } from './wiring.ts';

const version = recordVersion(schemas.UpdateApiKeyBody, (ctx, { id = '' }) => lockApiKey(ctx.db, ctx.workspaceId, id));

const TAG = 'API keys';

export const apiKeyRoutes = (ports: KeyPorts): Route[] => [
  route({
    method: 'POST',
    path: '/v1/api-keys',
    aliases: ['/api-keys'],
    id: 'create_api_key',
    answersSecret: true,
    version,
    tag: TAG,
    summary: 'Create an API key',
    description:
      'The answer is the only place where the key can be read. A key cannot be given scopes, domains, networks, limits, ' +
      'life or mode that its giver does not have: 403.',
    access: { scope: 'api_keys:write' },
    status: 201,
    body: { json: schemas.CreateApiKeyBody, read: readNewKey },
    example: { body: { name: 'prod', scopes: ['emails:send'] } },
    response: schemas.ApiKeyWithSecret,
    errors: [422],
    handler: async (ctx, { body }) => {
      const { record, key } = await createApiKey(ctx, body, ports);
      return { ...apiKeyView(record), key };
    },
  }),
  route({
    method: 'GET',
    path: '/v1/api-keys',
    aliases: ['/api-keys'],
    id: 'list_api_keys',
    tag: TAG,
    summary: 'List API keys',
    description: 'Includes revoked keys. `last_used_at` is a few seconds behind.',
    access: { scope: 'api_keys:read' },
    query: Type.Object(pageQuery),
    response: listEnvelope(schemas.ApiKeyRecord),
    handler: async (ctx, { query, request }) => {
      const page = readPage(query);
      const rows = await pageApiKeys(ctx.db, ctx.workspaceId, page);
      const total = page.after === null ? await countApiKeys(ctx.db, ctx.workspaceId) : null;
      return answerPage(page, rows.map(apiKeyView), { total, url: request.url });
    },
  }),
  route({
    method: 'GET',
    path: '/v1/api-keys/:id',
    aliases: ['/api-keys/:id'],
    id: 'get_api_key',
    version,
    tag: TAG,
    summary: 'Read an API key',
    access: { scope: 'api_keys:read' },
    params: schemas.ApiKeyParams,
    response: schemas.ApiKeyRecord,
    errors: [404],
    handler: async (ctx, { params }) => apiKeyView(await getApiKey(ctx, params.id)),
  }),
  route({
    method: 'PATCH',
    path: '/v1/api-keys/:id',
    aliases: ['/api-keys/:id'],
    id: 'update_api_key',
    version,
    tag: TAG,
    summary: 'Change an API key',
    description: 'The change takes effect on every process within a second. A revoked key cannot be changed: 409.',
    access: { scope: 'api_keys:write' },
    params: schemas.ApiKeyParams,
    body: { json: schemas.UpdateApiKeyBody, read: readKeyChange },
    example: { body: { name: 'prod', limits: { hourly: 1000 } } },
    response: schemas.ApiKeyRecord,
    errors: [404, 409, 422],
    handler: async (ctx, { params, body }) => apiKeyView(await changeApiKey(ctx, params.id, body, ports)),
  }),
  route({
    method: 'DELETE',
    path: '/v1/api-keys/:id',
    aliases: ['/api-keys/:id'],
    id: 'revoke_api_key',
    version,
    tag: TAG,
    summary: 'Revoke an API key',
    description: 'Requests with the key get 401, on every process within a second. The record stays.',
    access: { scope: 'api_keys:write' },
    params: schemas.ApiKeyParams,
    response: schemas.Revoked,
    errors: [404],
    handler: async (ctx, { params }) => {
      await revokeApiKey(ctx, params.id, ports);
      return { success: true };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/api-keys/:id/rotate',
    aliases: ['/api-keys/:id/rotate'],
    id: 'rotate_api_key',
    answersSecret: true,
    tag: TAG,
    summary: 'Replace an API key',
    description: 'The new key has the same rights and limits. The old key works until the grace period ends.',
    access: { scope: 'api_keys:write' },
    status: 201,
    params: schemas.ApiKeyParams,
    body: { json: schemas.RotateApiKeyBody, optional: true },
    example: { body: { grace_seconds: 3600 } },
    response: schemas.ApiKeyWithSecret,
    errors: [404, 409],
    handler: async (ctx, { params, body }) => {
      const grace = body?.grace_seconds ?? schemas.GRACE_DEFAULT_SECONDS;
      const { record, key } = await rotateApiKey(ctx, params.id, grace, ports);
      return { ...apiKeyView(record), key };
    },
  }),
];
