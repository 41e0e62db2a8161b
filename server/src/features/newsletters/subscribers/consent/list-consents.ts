import type { Ctx } from '#platform/http/context.ts';
import type { PageRequest } from '#platform/http/paging.ts';
import { hashOfAddress } from './consent.ts';
import { type ConsentRow, countConsents, pageConsents } from './consent-queries.ts';
import type { Subscriber } from '../subscriber.ts';

/** The consents of a subscriber's address in this newsletter, newest first: the proof of the consent. */
export async function listConsents(
  ctx: Pick<Ctx, 'db' | 'workspaceId' | 'secrets'>,
  { newsletterId, email }: Subscriber,
  page: PageRequest,
): Promise<{ rows: ConsentRow[]; total: number | null }> {
  const asked = { newsletterId, emailHash: hashOfAddress(ctx.secrets, email) };
  const rows = await pageConsents(ctx.db, ctx.workspaceId, { ...asked, ...page });
  const total = page.after === null ? await countConsents(ctx.db, ctx.workspaceId, asked) : null;
  return { rows, total };
}

export const consentView = (row: ConsentRow) => ({
  id: row.id,
  action: row.action,
  at: row.at,
  email: row.email,
  ip: row.ip,
  user_agent: row.userAgent,
  url: row.url,
  source: row.source,
  form_version: row.formVersion,
  email_id: row.emailId,
  token_id: row.tokenId,
  details: row.details,
});
