import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { isUuid } from '#platform/ids.ts';
import { downloadHeaders } from '../download-headers.ts';
import { requireEmail } from './get-email.ts';
import { loadAttachment } from './queries/one-email.ts';

/** A file of an email, and the headers of a download. */
export async function getEmailAttachment(
  ctx: Ctx,
  id: string,
  attachmentId: string,
): Promise<{ body: Buffer; headers: Record<string, string> }> {
  const { contentId } = await requireEmail(ctx, id);
  const file = isUuid(attachmentId)
    ? await loadAttachment(ctx.db, ctx.workspaceId, { contentId, id: attachmentId })
    : undefined;
  if (file === undefined) throw notFound('attachment', attachmentId);
  return { body: file.body, headers: downloadHeaders(file.filename) };
}
