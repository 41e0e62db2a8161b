import type { Static } from 'typebox';
import { mailShownTo } from '#features/workspaces';
import { readAddress } from '#mail/addresses/read-address.ts';
import { searchAsStored } from '#mail/addresses/search-as-stored.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { PageRequest } from '#platform/http/paging.ts';
import { isUuid } from '#platform/ids.ts';
import { downloadHeaders } from '../download-headers.ts';
import { bytesOf, parseMessage, readMessage } from '../read-message.ts';
import { framePathOf } from './frame-link.ts';
import { linksOf } from './links.ts';
import { type CapturedRow, countCaptured, findCaptured, pageOfCaptured } from './queries.ts';
import type { CapturedQuery } from './schemas.ts';

/** The messages that the capture provider kept instead of delivering them. */
export async function listCaptured(ctx: Ctx, query: Static<typeof CapturedQuery>, page: PageRequest) {
  const filter = {
    emailId: query.email_id ?? null,
    to: query.to === undefined ? null : readAddress(query.to.trim(), 'to').identity,
    search: searchAsStored(query.search ?? '') || null,
    shown: mailShownTo(ctx.actor),
  };
  const rows = await pageOfCaptured(ctx.db, ctx.workspaceId, filter, page);
  const counted = page.after === null ? await countCaptured(ctx.db, ctx.workspaceId, filter) : null;
  return {
    captured: rows.map(capturedView),
    total: counted?.total ?? null,
    totalIsEstimate: counted?.isEstimate ?? false,
  };
}

export async function getCaptured(ctx: Ctx, id: string) {
  const row = await requireCaptured(ctx, id);
  const message = await readMessage(row.mime);
  return {
    ...capturedView(row),
    ...message,
    attachments: message.attachments.map((file, index) => ({ id: String(index + 1), ...file })),
    links: linksOf(ctx, message.html ?? ''),
    html_path: message.html === null ? null : framePathOf(ctx, id),
  };
}

/** A file of the message, by its place. */
export async function getCapturedAttachment(ctx: Ctx, id: string, attachmentId: string) {
  const row = await requireCaptured(ctx, id);
  const { attachments } = await parseMessage(row.mime);
  const file = /^[1-9]\d{0,3}$/.test(attachmentId) ? attachments[Number(attachmentId) - 1] : undefined;
  if (file === undefined) throw notFound('attachment', attachmentId);
  return { body: bytesOf(file), headers: downloadHeaders(file.filename ?? `attachment-${attachmentId}`) };
}

/** The bytes, exactly as they were handed over. */
export async function getCapturedRaw(ctx: Ctx, id: string): Promise<Buffer> {
  return (await requireCaptured(ctx, id)).mime;
}

export async function requireCaptured(ctx: Ctx, id: string): Promise<CapturedRow & { mime: Buffer }> {
  const row = isUuid(id) ? await findCaptured(ctx.db, ctx.workspaceId, mailShownTo(ctx.actor), id) : undefined;
  if (row === undefined) throw notFound('captured email', id);
  return row;
}

const capturedView = (row: CapturedRow) => ({
  id: row.id,
  email_id: row.emailId,
  message_id: row.messageId,
  from: row.from,
  to: row.to,
  subject: row.subject,
  size: row.size,
  attachment_count: row.attachmentCount,
  captured_at: row.capturedAt,
});
