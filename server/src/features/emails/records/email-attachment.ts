import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { isUuid } from '#platform/ids.ts';
import { requireEmail } from './get-email.ts';
import { loadAttachment } from './queries/one-email.ts';

/** A file of an email, and the headers of a download: a browser shows nothing of it, whatever type its sender gave. */
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
  const headers = {
    'content-disposition': `attachment; filename*=UTF-8''${encoded(file.filename)}`,
    'cache-control': 'private, no-store',
  };
  return { body: file.body, headers };
}

/** The value of an extended parameter (RFC 8187), which has fewer characters than a part of a URL. */
const encoded = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(
    /['()*!]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
