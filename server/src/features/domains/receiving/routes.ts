import { CHANGES_DOMAIN } from '../domain-version.ts';
import { stopDeliveries } from '#features/webhooks';
import { answer, type Route, route } from '#platform/http/route.ts';
import type { SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import { providerHostsOf } from '../records/provider-hosts.ts';
import { DomainParams } from '../records/schemas.ts';
import { receivingRecord } from '../records/wanted-records.ts';
import { changeReceiving } from './change-receiving.ts';
import { changeWebhookUrl, readWebhookUrl } from './change-webhook-url.ts';
import { policyOfHost } from './policy-of-host.ts';
import * as schemas from './schemas.ts';
import { testWebhookUrl } from './test-webhook-url.ts';

const common = {
  tag: 'Domains',
  cloudOnly: true,
  params: DomainParams,
  access: { scope: 'domains:write' },
} as const;

export const receivingRoutes = ({ safeFetch }: { safeFetch: SafeFetch }): Route[] => [
  route({
    method: 'GET',
    path: '/.well-known/mta-sts.txt',
    id: 'get_mta_sts_policy',
    tag: 'Domains',
    summary: 'The MTA-STS policy of the domain behind `mta-sts.` in the host of the request (RFC 8461)',
    access: 'public',
    hidden: true,
    response: { file: 'text/plain; charset=utf-8' },
    handler: async (ctx, { request }) =>
      answer(await policyOfHost(ctx, request.headers.host ?? ''), { headers: { 'cache-control': 'max-age=300' } }),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/v1/domains/:id/receiving/enable',
    id: 'enable_receiving',
    changes: CHANGES_DOMAIN,
    summary: 'Receive mail for a domain',
    description:
      'Mail to every address of the domain is taken once its MX record leads here and the domain is verified; until it ' +
      'is verified, other servers are asked to come again. An MX record moves all mail of its name: use a name of its ' +
      'own, such as `reply.acme.example`, when people have mailboxes at the domain.',
    response: schemas.ReceivingEnabled,
    handler: async (ctx, { params }) => {
      const domain = await changeReceiving(ctx, params.id, true);
      const { type, name, value } = receivingRecord(domain, providerHostsOf(ctx.settings, domain.providerRegion));
      return {
        success: true,
        data: { id: domain.id, receiving_enabled: true, mx_record: { type, name, value } },
        message: 'Publish the MX record in the DNS of the domain.',
      };
    },
  }),
  route({
    ...common,
    method: 'POST',
    path: '/v1/domains/:id/receiving/disable',
    id: 'disable_receiving',
    changes: CHANGES_DOMAIN,
    summary: 'Receive no more mail for a domain',
    description: 'Mail is refused from now on: 550. Received mail stays. Remove the MX record, too.',
    response: schemas.ReceivingDisabled,
    handler: async (ctx, { params }) => {
      const { id } = await changeReceiving(ctx, params.id, false);
      return { success: true, data: { id, receiving_enabled: false }, message: 'Mail to the domain is refused.' };
    },
  }),
  route({
    ...common,
    method: 'PATCH',
    path: '/v1/domains/:id/webhook',
    id: 'change_domain_webhook',
    changes: CHANGES_DOMAIN,
    summary: 'Forward received mail of a domain',
    description:
      'Each received message is posted to the address, signed with `webhook_secret` and retried as the deliveries of ' +
      'webhooks are. Setting an address also enables one that was disabled because it failed. null forwards nothing.',
    body: { json: schemas.WebhookUrlBody },
    example: { body: { webhookUrl: 'https://example.com/inbound' } },
    response: schemas.WebhookUrlAnswer,
    errors: [422],
    prepare: (ctx, { params, body }) => readWebhookUrl(ctx, params.id, body.webhookUrl, safeFetch),
    handler: async (ctx, { params, prepared }) => {
      const { webhookUrl, secret } = await changeWebhookUrl(ctx, params.id, prepared);
      return {
        success: true,
        data: { id: params.id, webhook_url: webhookUrl, webhook_secret: secret },
        message: webhookUrl === null ? 'Received mail is forwarded nowhere.' : 'Received mail is forwarded.',
      };
    },
    // No attempt starts after the answer.
    after: async (ctx, { params, body }) => {
      if (body.webhookUrl === null) await stopDeliveries(ctx, params.id);
    },
  }),
  route({
    ...common,
    method: 'POST',
    path: '/v1/domains/:id/webhook/test',
    id: 'test_domain_webhook',
    summary: 'Send a sample of received mail',
    description:
      'One signed attempt of at most ten seconds, with `"test": true`. The answer is 200 whatever the receiver ' +
      'answers; an address that is not public is not called and has the status 0. 409 without a webhook.',
    response: schemas.WebhookTestResult,
    errors: [409],
    outsideTransaction: true,
    handler: (ctx, { params }) => testWebhookUrl(ctx, params.id, safeFetch),
  }),
];
