import { answerPage, readPage } from '#platform/http/paging.ts';
import { answer, type Route, route } from '#platform/http/route.ts';
import type { Domain } from '../domain.ts';
import { getDomain } from '../get-domain.ts';
import { DomainParams } from '../records/schemas.ts';
import type { CheckPorts } from './check-domain.ts';
import { countChecks, pageOfChecks, type StoredCheck } from './queries.ts';
import { createCheckPlaces } from './check-places.ts';
import * as schemas from './schemas.ts';
import { verifyDomain } from './verify-domain.ts';

const one = { tag: 'Domains', cloudOnly: true, params: DomainParams } as const;

const checkView = ({ id, at, byHand, outcome, reason, records, lookups }: StoredCheck) => ({
  id,
  at: at.toISOString(),
  requested: byHand,
  outcome,
  reason,
  records,
  lookups,
});

const MESSAGES = {
  verified: 'The domain is verified.',
  pending: 'The domain is not verified yet.',
  failed: 'The records are not as they should be.',
  temporary_failure: 'The DNS gave no certain answer. Verify the domain again in a while.',
} as const;

/** A failed check leaves a verified domain verified: its state alone would say that all is well. */
const messageOf = ({ dkimStatus, failureReason }: Domain): string =>
  dkimStatus === 'verified' && failureReason !== null
    ? `The domain still sends, but its last check failed. ${failureReason}`
    : MESSAGES[dkimStatus];

export const checkRoutes = (ports: CheckPorts, places = createCheckPlaces()): Route[] => [
  route({
    ...one,
    method: 'POST',
    path: '/v1/domains/:id/verify',
    id: 'verify_domain',
    summary: 'Verify a domain',
    description:
      'Asks all DNS servers of the domain now. The DKIM and the SPF record must be there; `dns_records` of the domain ' +
      'has the state of each. A check of the last ten seconds is not repeated: its result is the answer. A domain ' +
      'that sends keeps sending when a check fails: only three failed checks over 24 hours stop it. Servers that ' +
      'fail or do not agree are the state `temporary_failure`; 504 when one of them did not answer in time. A ' +
      'workspace has at most five checks under way: the next is 429.',
    access: { scope: 'domains:write' },
    response: schemas.VerifyAnswer,
    errors: [429, 504],
    outsideTransaction: true,
    handler: async (ctx, { params }) => {
      const { domain, isNew } = await verifyDomain(ctx, params.id, ports, places);
      const { id, dkimStatus, sendingEnabled, failureReason, lastCheckedAt } = domain;
      return {
        success: true,
        data: {
          id,
          dkim_status: dkimStatus,
          sending_enabled: sendingEnabled,
          failure_reason: failureReason,
          last_checked_at: lastCheckedAt?.toISOString() ?? null,
        },
        message: isNew
          ? messageOf(domain)
          : `No new check: the last one is less than ten seconds old. ${messageOf(domain)}`,
      };
    },
  }),
  route({
    ...one,
    method: 'GET',
    path: '/v1/domains/:id/checks',
    id: 'list_domain_checks',
    summary: 'List the checks of a domain',
    description: 'Newest first, with the answer of each DNS server. They are kept for 30 days.',
    access: { scope: 'domains:read' },
    query: schemas.ChecksQuery,
    response: schemas.ChecksAnswer,
    handler: async (ctx, { params, query, request }) => {
      const domain = await getDomain(ctx, params.id);
      const page = readPage(query);
      const rows = await pageOfChecks(ctx.db, domain, page);
      const total = page.after === null ? await countChecks(ctx.db, domain) : null;
      const shown = answerPage(page, rows.map(checkView), { total, url: request.url });
      return answer(
        { success: true, ...Object(shown.body), message: 'The checks of the last 30 days.' },
        { headers: { ...shown.headers } },
      );
    },
  }),
];
