import { domainToASCII } from 'node:url';
import type { Static } from 'typebox';
import { mailShownTo } from '#features/workspaces';
import { AddressError, identityOf } from '#mail/addresses/addresses.ts';
import { invalid } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { PageRequest } from '#platform/http/paging.ts';
import { storedStatuses } from '../progress.ts';
import { emailView } from './email-record.ts';
import { countLookedThrough, type EmailSpan, lookThroughEmails } from './queries/look-through-emails.ts';
import { countEmails, type EmailFilter, pageOfEmails } from './queries/page-of-emails.ts';
import { countSendsEmails, hasManySends, pageOfSendsEmails } from './queries/page-of-sends-emails.ts';
import type { EmailsQuery } from './schemas.ts';

/**
 * The newest emails that match. Newest is by id, which begins with the time of acceptance; those of a newsletter, an
 * issue or a broadcast come send by send.
 */
export const listEmails = (ctx: Ctx, query: Static<typeof EmailsQuery>, page: PageRequest) =>
  listFiltered(ctx, filterOf(ctx, query), page);

/** The newest emails to any of these addresses (identities), as far as the caller may see them. */
export const listEmailsTo = (ctx: Ctx, identities: readonly string[], page: PageRequest) =>
  listFiltered(ctx, { ...filterOf(ctx, {}), to: identities }, page);

async function listFiltered(ctx: Ctx, filter: EmailFilter, page: PageRequest) {
  if (filter.toDomain !== null || filter.fromDomain !== null) return listByDomain(ctx, filter, page);
  if (filter.counted !== null) return listCounted(ctx, filter, filter.counted.until, page);
  const isBySend = await goesBySend(ctx, filter);
  if (!isBySend && isWithoutIndex(filter)) return listByLooking(ctx, filter, page);
  const rows = await (isBySend ? pageOfSendsEmails : pageOfEmails)(ctx.db, ctx.workspaceId, filter, page);
  // All of a newsletter are counted faster as they come than send by send.
  const { statuses, from, subject, tag, metadata, domainId } = filter;
  const isNarrow = [statuses, from, subject, tag, metadata, domainId].some((value) => value !== null);
  const count = isBySend && isNarrow ? countSendsEmails : countEmails;
  const counted = page.after === null ? await count(ctx.db, ctx.workspaceId, filter) : null;
  return {
    emails: rows.map(emailView),
    total: counted?.total ?? null,
    totalIsEstimate: counted?.isEstimate ?? false,
    goOnAfter: null,
  };
}

const SPAN_DAYS_MAX = 31;
const DAY_MS = 86_400_000;

/** No index serves a domain, so it is looked for in a span of time, and a page ends after 10,000 emails. */
async function listByDomain(ctx: Ctx, filter: EmailFilter, page: PageRequest) {
  const { since, until } = filter;
  const name = filter.toDomain === null ? 'from' : 'to';
  if (since === null || until === null || until.getTime() - since.getTime() > SPAN_DAYS_MAX * DAY_MS) {
    throw invalid(name, `A domain in ${name} needs since and until, at most ${SPAN_DAYS_MAX} days apart.`);
  }
  if (page.offset > 0) throw invalid('page', `With a domain in ${name}, continue with cursor in place of page.`);
  return pageOf(ctx, { filter, since, until }, page);
}

/**
 * Something may happen to an email long after it was accepted, and nothing before. So the span ends with the count, and
 * has no beginning: the newest emails, which most of it happens to, come first.
 */
async function listCounted(ctx: Ctx, filter: EmailFilter, until: Date, page: PageRequest) {
  if (page.offset > 0) throw invalid('page', 'With counted, continue with cursor in place of page.');
  return pageOf(ctx, { filter, since: filter.since ?? new Date(0), until: filter.until ?? until }, page);
}

async function pageOf(ctx: Ctx, span: EmailSpan, page: PageRequest) {
  const { rows, goOnAfter } = await lookThroughEmails(ctx.db, ctx.workspaceId, span, page);
  return { emails: rows.map(emailView), total: null, totalIsEstimate: false, goOnAfter };
}

/** No index serves fields of contents and requests. Addresses and ids of providers lead to few emails. */
function isWithoutIndex(filter: EmailFilter): boolean {
  const { to, providerMessageId, statuses, shown } = filter;
  if (to !== null || providerMessageId !== null) return false;
  if (statuses?.some((status) => status === 'pending' || status === 'sending') === true) return false;
  const { from, subject, tag, metadata, source, domainId, apiKeyId, templateId, newsletterId } = filter;
  const asked = [from, subject, tag, metadata, source, domainId, apiKeyId, templateId, newsletterId];
  return asked.some((value) => value !== null) || shown.newsletterIds.length > 0;
}

/** The total is known where one look sees everything. */
async function listByLooking(ctx: Ctx, filter: EmailFilter, page: PageRequest) {
  const span = { filter, since: filter.since, until: filter.until };
  const found = await pageOf(ctx, span, page);
  if (page.after !== null || found.goOnAfter !== null) return found;
  return { ...found, total: await countLookedThrough(ctx.db, ctx.workspaceId, span) };
}

/**
 * Send by send, unless that is many looks for few emails: those to one address have an index, and those in one state
 * of a newsletter that has sent its confirmations one by one are looked for among all in that state.
 */
async function goesBySend(
  { db, workspaceId }: Ctx,
  { newsletterId, issueId, broadcastId, to, providerMessageId, statuses }: EmailFilter,
): Promise<boolean> {
  if (to !== null || providerMessageId !== null) return false;
  if (issueId !== null || broadcastId !== null) return true;
  if (newsletterId === null) return false;
  return statuses === null || !(await hasManySends(db, workspaceId, newsletterId));
}

const identitiesIn = (identity: string | null): readonly string[] | null => (identity === null ? null : [identity]);

function filterOf(ctx: Ctx, query: Static<typeof EmailsQuery>): EmailFilter {
  const [name, value] = query.tag?.split(':') ?? [];
  return {
    statuses: query.status === undefined ? null : storedStatuses(query.status),
    to: identitiesIn(addressFilter('to', query.to)),
    from: addressFilter('from', query.from),
    toDomain: domainFilter('to', query.to),
    fromDomain: domainFilter('from', query.from),
    subject: query.subject ?? null,
    providerMessageId: query.provider_message_id === undefined ? null : providerIdIn(query.provider_message_id),
    tag: name === undefined ? null : { name, value: value ?? null },
    metadata: query.metadata === undefined ? null : fieldAndValue(query.metadata),
    source: query.source ?? null,
    domainId: query.domain_id?.toLowerCase() ?? null,
    apiKeyId: query.api_key_id?.toLowerCase() ?? null,
    newsletterId: query.newsletter_id?.toLowerCase() ?? null,
    issueId: query.issue_id?.toLowerCase() ?? null,
    broadcastId: query.broadcast_id?.toLowerCase() ?? null,
    templateId: query.template_id?.toLowerCase() ?? null,
    since: query.since === undefined ? null : new Date(query.since),
    until: query.until === undefined ? null : new Date(query.until),
    counted: countedFilter(query),
    shown: mailShownTo(ctx.actor),
  };
}

function fieldAndValue(text: string): { name: string; value: string | null } {
  const colon = text.indexOf(':');
  return colon < 0 ? { name: text, value: null } : { name: text.slice(0, colon), value: text.slice(colon + 1) };
}

/** Recipients of Amazon SES see its id as the left side of the Message-ID: `<id@eu-west-1.amazonses.com>`. */
const providerIdIn = (text: string): string =>
  text.replace(/^<|>$/g, '').replace(/@([a-z0-9-]+\.)?amazonses\.com$/i, '');

function countedFilter(query: Static<typeof EmailsQuery>): EmailFilter['counted'] {
  const { counted, counted_since: since, counted_until: until, mailbox_provider: mailboxProvider = null } = query;
  if (counted === undefined) {
    const alone = [
      since !== undefined && 'counted_since',
      until !== undefined && 'counted_until',
      mailboxProvider !== null && 'mailbox_provider',
    ].find((name) => name !== false);
    if (alone !== undefined) throw invalid(alone, `${alone} needs counted, the name of a count such as delivered.`);
    return null;
  }
  if (since === undefined || until === undefined) {
    throw invalid('counted', 'counted needs counted_since and counted_until, the span of the count.');
  }
  return { name: counted, since: new Date(since), until: new Date(until), mailboxProvider };
}

function addressFilter(name: string, text: string | undefined): string | null {
  if (text === undefined || isDomain(text)) return null;
  try {
    return identityOf(text.trim());
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    throw invalid(name, `${name} must be an email address. ${error.reason}`);
  }
}

const isDomain = (text: string): boolean => text.trim().startsWith('@');

function domainFilter(name: string, text: string | undefined): string | null {
  if (text === undefined || !isDomain(text)) return null;
  const domain = domainToASCII(text.trim().slice(1));
  if (domain === '') throw invalid(name, `${name} must be an email address, or @ and a domain such as @example.com.`);
  return domain;
}
