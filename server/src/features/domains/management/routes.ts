import { CHANGES_DOMAIN, domainVersion } from '../domain-version.ts';
import { domainsOfKey } from '#features/workspaces';
import { readEach } from '#platform/http/fields/read-meaning.ts';
import { answer, type Route, route } from '#platform/http/route.ts';
import { DOMAINS_MAX, requireKeyOfAllDomains } from '../domain.ts';
import { listDomains } from '../domain-queries.ts';
import { getDomain } from '../get-domain.ts';
import { dnsRecordsView, domainSummary } from '../records/domain-view.ts';
import { providerHostsOf } from '../records/provider-hosts.ts';
import { DomainParams } from '../records/schemas.ts';
import { zoneFile } from '../records/zone-file.ts';
import { type CountAccepted, changeLimits } from './change-limits.ts';
import { type CountAcceptedAbout, showDomain } from './show-domain.ts';
import { createDomain, readNewDomain } from './create-domain.ts';
import { readDomainName } from './read-domain-name.ts';
import { removeDomain } from './remove-domain.ts';
import { makeNextKey, rotateDkim } from './rotate-dkim.ts';
import * as schemas from './schemas.ts';

const common = { tag: 'Domains', cloudOnly: true } as const;
const one = { ...common, params: DomainParams } as const;

const ok = (data: unknown, message: string) => ({ success: true, data, message });

interface ManagementWiring {
  hasIdentities: boolean;
  countAccepted: CountAccepted;
  countAcceptedAbout: CountAcceptedAbout;
}

export const managementRoutes = ({ hasIdentities, countAccepted, countAcceptedAbout }: ManagementWiring): Route[] => [
  route({
    ...common,
    method: 'POST',
    path: '/v1/domains',
    id: 'create_domain',
    summary: 'Add a domain',
    description:
      'Makes a DKIM key and answers with the DNS records to publish. Posthorn checks them every 15 minutes for 72 ' +
      'hours; `verify` checks them at once. A domain that this workspace has already, or that another workspace has ' +
      `verified, is 409; a public suffix such as \`co.uk\` is 422. A workspace has at most ${DOMAINS_MAX} domains.`,
    access: { scope: 'domains:write' },
    permit: async ({ actor }) => requireKeyOfAllDomains(actor),
    status: 201,
    body: {
      json: schemas.CreateDomainBody,
      read: readEach<typeof schemas.CreateDomainBody>({ domain: readDomainName }),
    },
    example: { body: { domain: 'acme.example', region: 'eu-north-1' } },
    response: schemas.DomainAnswer,
    errors: [409, 422],
    prepare: (ctx, { body }) => readNewDomain(ctx, body),
    handler: async (ctx, { prepared }) =>
      ok(
        await showDomain(ctx, await createDomain(ctx, prepared, hasIdentities), countAcceptedAbout),
        'Publish the records in the DNS of the domain. Then verify it.',
      ),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/v1/domains',
    id: 'list_domains',
    summary: 'List domains',
    description: 'All domains of the workspace, newest first. A key that is limited to some domains sees only these.',
    access: { scope: 'domains:read' },
    response: schemas.DomainsAnswer,
    handler: async (ctx) => {
      const domains = await listDomains(ctx.db, ctx.workspaceId, domainsOfKey(ctx.actor));
      return ok(domains.map(domainSummary), domains.length === 1 ? '1 domain.' : `${domains.length} domains.`);
    },
  }),
  route({
    ...one,
    method: 'GET',
    path: '/v1/domains/:id',
    id: 'get_domain',
    version: domainVersion,
    summary: 'Read a domain',
    description: 'With its DNS records as the last check found them, its limits and their usage.',
    access: { scope: 'domains:read' },
    response: schemas.DomainAnswer,
    handler: async (ctx, { params }) => {
      const domain = await getDomain(ctx, params.id);
      return ok(
        await showDomain(ctx, domain, countAcceptedAbout),
        domain.failureReason ?? `${domain.domain} is ${domain.dkimStatus}.`,
      );
    },
  }),
  route({
    ...one,
    method: 'DELETE',
    path: '/v1/domains/:id',
    id: 'delete_domain',
    changes: CHANGES_DOMAIN,
    summary: 'Delete a domain',
    description:
      'Emails from it that wait are refused with the reason `domain_unverified`, and issues that are being sent from ' +
      'it fail. Its keys are destroyed: a domain that is added again gets new records.',
    access: { scope: 'domains:write' },
    response: schemas.DomainDeleted,
    errors: [409],
    handler: async (ctx, { params }) => {
      await removeDomain(ctx, params.id);
      return { success: true, message: 'The domain was deleted.' };
    },
  }),
  route({
    ...one,
    method: 'GET',
    path: '/v1/domains/:id/zone-file',
    id: 'get_domain_zone_file',
    summary: 'Fetch the records of a domain as a zone file',
    description:
      'For hosts of DNS zones that import files (BIND, RFC 1035). Long values are in strings of 255 bytes. The MX ' +
      'record, and a DMARC record where there is one already, are comments.',
    access: { scope: 'domains:read' },
    response: { file: 'text/plain; charset=utf-8' },
    handler: async (ctx, { params }) => {
      const domain = await getDomain(ctx, params.id);
      const hosts = providerHostsOf(ctx.settings, domain.providerRegion);
      return answer(zoneFile(domain.domain, dnsRecordsView(domain, hosts)), {
        headers: {
          'content-type': 'text/plain; charset=utf-8',
          'content-disposition': `attachment; filename="${domain.domain}.zone"`,
        },
      });
    },
  }),
  route({
    ...one,
    method: 'POST',
    path: '/v1/domains/:id/rotate-dkim',
    id: 'rotate_domain_dkim',
    summary: 'Rotate the DKIM key of a domain',
    description:
      'Makes a next key, with a record of its own at a second selector. Mail is signed with it only when a check has ' +
      'seen the record at all DNS servers: every 15 minutes for 72 hours, or with `verify`. The record of the former ' +
      'key is needed for 7 more days. 409 for a domain that is not verified, that has a next key already, or whose ' +
      'former key is still needed.',
    access: { scope: 'domains:write' },
    response: schemas.DomainAnswer,
    errors: [409],
    prepare: (ctx, { params }) => makeNextKey(ctx, params.id),
    handler: async (ctx, { params, prepared }) =>
      ok(
        await showDomain(ctx, await rotateDkim(ctx, params.id, prepared), countAcceptedAbout),
        'Publish the record of the next key, and leave that of the current one.',
      ),
  }),
  route({
    ...one,
    method: 'PATCH',
    path: '/v1/domains/:id/limits',
    id: 'change_domain_limits',
    changes: CHANGES_DOMAIN,
    summary: 'Limit the emails of a domain',
    description:
      'Counts recipients that are accepted, over the API, SMTP and issues together. A send beyond a limit is refused ' +
      'with 403; an issue pauses, and goes on when the limit resets. A field that is left out stays as it is.',
    access: { scope: 'domains:write' },
    body: { json: schemas.LimitsBody },
    example: { body: { maxDailyEmails: 10_000, maxMonthlyEmails: null } },
    response: schemas.LimitsAnswer,
    handler: async (ctx, { params, body }) => {
      const { id, domain, maxDailyEmails, maxMonthlyEmails } = await changeLimits(ctx, params.id, body, countAccepted);
      const limits = { id, domain, max_daily_emails: maxDailyEmails, max_monthly_emails: maxMonthlyEmails };
      return ok(limits, 'The limits apply within a second.');
    },
  }),
];
