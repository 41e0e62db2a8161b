import { Type } from 'typebox';
import { countOrRefuse } from '#platform/attempts/attempt-limits.ts';
import { inTransaction } from '#platform/db/database.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { type Route, route } from '#platform/http/route.ts';
import { networkOf } from '#platform/ip-network.ts';
import { recordSecurityEvent } from '#features/workspaces';
import { hastenCheck } from '../checks/queries.ts';
import type { Domain } from '../domain.ts';
import { findDomain } from '../domain-queries.ts';
import { getDomain, getLockedDomain } from '../get-domain.ts';
import { dnsRecordsView } from '../records/domain-view.ts';
import { providerHostsOf } from '../records/provider-hosts.ts';
import { DomainParams, wrapped } from '../records/schemas.ts';
import { revokeShares } from './queries.ts';
import { DAY_MS, readShareToken, sharedAt, SHARED_DAYS, type SharedDomain, shareToken } from './share-link.ts';
import { failedPage, notSharedPage, sharePage } from './share-page.ts';

/** From one network: the page reads itself again twice a minute. */
const READS_A_MINUTE = 60;
const MINUTE = 60;

const ShareAnswer = wrapped(
  Type.Object(
    {
      url: Type.String({ format: 'uri', examples: ['https://posthorn.example/domain-records/…'] }),
      expires_at: Type.String({ format: 'date-time', examples: ['2026-12-04T10:00:00.000Z'] }),
    },
    { title: 'DomainShare', additionalProperties: false },
  ),
  'DomainShareAnswer',
);

const RevokedAnswer = wrapped(
  Type.Object({ id: DomainParams.properties.id }, { title: 'DomainSharesRevoked', additionalProperties: false }),
  'DomainSharesRevokedAnswer',
);

export const sharingRoutes = (): Route[] => [
  route({
    method: 'POST',
    path: '/v1/domains/:id/share',
    id: 'share_domain',
    tag: 'Domains',
    cloudOnly: true,
    params: DomainParams,
    summary: 'Share the records of a domain',
    description:
      `Answers with the link of a page for whoever can change the DNS: the records with their state, and the steps at ` +
      `the host of the DNS. It needs no account, changes nothing, and works for ${SHARED_DAYS} days, until it is ` +
      'revoked or until the domain is deleted.',
    access: { scope: 'domains:write' },
    status: 201,
    response: ShareAnswer,
    handler: async (ctx, { params }) => {
      const { url, expiresAt } = await shareDomain(ctx, params.id);
      const data = { url, expires_at: expiresAt.toISOString() };
      return { success: true, data, message: 'Anybody with the link can read the records.' };
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/domains/:id/share',
    id: 'revoke_domain_shares',
    tag: 'Domains',
    cloudOnly: true,
    params: DomainParams,
    summary: 'Revoke the links to the records of a domain',
    description: 'No link of the domain that was made until now works any more. New ones can be made.',
    access: { scope: 'domains:write' },
    response: RevokedAnswer,
    handler: async (ctx, { params }) => {
      await revokeDomainShares(ctx, params.id);
      return { success: true, data: { id: params.id }, message: 'The links do not work any more.' };
    },
  }),
  route({
    method: 'GET',
    path: '/domain-records/:token',
    id: 'show_shared_domain',
    tag: 'Domains',
    summary: 'Page: the records of a domain',
    params: Type.Object({ token: Type.String() }),
    access: 'public',
    admit: (ctx, { ip }) => {
      const subject = `domain records, minute ${networkOf(ip, { ofIpv4: 4, ofIpv6: 8 })}`;
      return countOrRefuse(ctx, [{ subject, max: READS_A_MINUTE, windowSeconds: MINUTE }], ctx.clock.now());
    },
    page: { failure: ({ status }) => (status === 404 ? notSharedPage() : failedPage(status)) },
    handler: async (ctx, { params }) => showShared(ctx, params.token),
  }),
];

async function shareDomain(ctx: Ctx, id: string): Promise<{ url: string; expiresAt: Date }> {
  const { domain, workspaceId } = await getDomain(ctx, id);
  const expiresAt = new Date(ctx.clock.now().getTime() + SHARED_DAYS * DAY_MS);
  const token = shareToken(ctx.secrets, { workspaceId, id, expiresAt });
  await recordSecurityEvent(ctx.db, ctx, {
    action: 'domain.records_shared',
    targetType: 'domain',
    targetId: id,
    details: { domain, expires_at: expiresAt.toISOString() },
  });
  return { url: `${ctx.settings.publicUrl}/domain-records/${token}`, expiresAt };
}

async function revokeDomainShares(ctx: Ctx, id: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const { domain, workspaceId } = await getLockedDomain(ctx, tx, id);
    await revokeShares(tx, { workspaceId, id, at: ctx.clock.now() });
    await recordSecurityEvent(tx, ctx, {
      action: 'domain.shares_revoked',
      targetType: 'domain',
      targetId: id,
      details: { domain },
    });
  });
}

async function showShared(ctx: Ctx, token: string) {
  const shared = readShareToken(ctx.secrets, token, ctx.clock.now());
  const domain = shared && (await findDomain(ctx.db, shared.workspaceId, shared.id));
  if (shared === undefined || domain === undefined || isRevoked(domain, shared)) {
    throw notFound('shared domain', 'of this link');
  }
  if (isOld(domain, ctx.clock.now())) await hastenCheck(ctx.db, domain);
  const hosts = providerHostsOf(ctx.settings, domain.providerRegion);
  return sharePage(domain, dnsRecordsView(domain, hosts), shared.expiresAt);
}

const isRevoked = ({ sharesRevokedAt }: Domain, shared: SharedDomain): boolean =>
  sharesRevokedAt !== null && sharedAt(shared) <= sharesRevokedAt;

/** Somebody looks, and the last check is more than a minute ago. */
const isOld = ({ dkimStatus, lastCheckedAt }: Domain, now: Date): boolean =>
  dkimStatus !== 'verified' && (lastCheckedAt === null || now.getTime() - lastCheckedAt.getTime() > MINUTE * 1_000);
