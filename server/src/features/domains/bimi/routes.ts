import { CHANGES_DOMAIN } from '../domain-version.ts';
import { bimiName, bimiRecord } from '#mail/bimi/judge-record.ts';
import { type Route, route } from '#platform/http/route.ts';
import { dnsRecordsView } from '../records/domain-view.ts';
import { providerHostsOf } from '../records/provider-hosts.ts';
import { DomainParams } from '../records/schemas.ts';
import { disableMark, enableMark } from './change-mark.ts';
import { readMark, readMarkFields } from './read-mark.ts';
import * as schemas from './schemas.ts';
import { markCheckView } from './mark-check-view.ts';
import { type MarkPorts, verifyMark } from './verify-mark.ts';

const one = {
  tag: 'Domains',
  cloudOnly: true,
  params: DomainParams,
  access: { scope: 'domains:write', usersOnly: true },
} as const;

export const bimiRoutes = (ports: MarkPorts): Route[] => [
  route({
    ...one,
    method: 'POST',
    path: '/cloud-domains/:id/bimi',
    id: 'enable_bimi',
    summary: 'Show a logo beside the mail of a domain (BIMI)',
    description:
      'Answers with the DNS record to publish. Needs a mark certificate and a DMARC policy that is enforced; `verify` ' +
      'says what is missing. Calling it again names another logo.',
    body: { json: schemas.BimiBody, read: readMarkFields },
    example: {
      body: {
        svgPath: 'logos/acme.svg',
        svgUrl: 'https://acme.example/logo.svg',
        vmcCertUrl: 'https://acme.example/mark.pem',
      },
    },
    response: schemas.BimiAnswer,
    errors: [422],
    prepare: (_ctx, { body }) => readMark(ports.safeFetch, body),
    handler: async (ctx, { params, prepared }) => {
      const { domain } = await enableMark(ctx, params.id, prepared);
      return {
        success: true,
        data: {
          bimi_enabled: true,
          dns_record: { type: 'TXT', name: bimiName(domain), value: bimiRecord(prepared) },
        },
        message: 'Publish the record. Then verify it.',
      };
    },
  }),
  route({
    ...one,
    method: 'POST',
    path: '/cloud-domains/:id/bimi/verify',
    id: 'verify_bimi',
    summary: 'Verify BIMI',
    description:
      'Looks at the DMARC policy, the DNS record, the logo and the certificate, as mailbox providers do, and names all ' +
      'faults at once. A second check within ten seconds is 409. 504 when the DNS gives no certain answer.',
    response: schemas.BimiCheckAnswer,
    errors: [409, 504],
    outsideTransaction: true,
    handler: async (ctx, { params }) => {
      const { domain, check } = await verifyMark(ctx, params.id, ports);
      const view = markCheckView(check);
      return {
        success: true,
        data: {
          id: domain.id,
          domain: domain.domain,
          bimi_check: view,
          dns_records: dnsRecordsView(domain, providerHostsOf(ctx.settings, domain.providerRegion)),
        },
        message: view.message,
      };
    },
  }),
  route({
    ...one,
    method: 'DELETE',
    path: '/cloud-domains/:id/bimi',
    id: 'disable_bimi',
    changes: CHANGES_DOMAIN,
    summary: 'Disable BIMI',
    description: 'Forgets the logo. Remove the DNS record, too.',
    response: schemas.BimiDisabledAnswer,
    handler: async (ctx, { params }) => {
      const domain = await disableMark(ctx, params.id);
      return {
        success: true,
        data: {
          id: domain.id,
          domain: domain.domain,
          bimi_enabled: false,
          dns_records: dnsRecordsView(domain, providerHostsOf(ctx.settings, domain.providerRegion)),
        },
        message: `Remove the TXT record at ${bimiName(domain.domain)}.`,
      };
    },
  }),
];
