import type { Email } from 'postal-mime';
import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { bytesOf, parseMessage } from '../read-message.ts';
import { readFrameLink } from './frame-link.ts';
import { findCaptured } from './queries.ts';

/** The holder of the link was shown the message by somebody who may see it. */
const EVERYTHING = { withSystemMail: true, newsletterIds: [] };
const PICTURE = /^image\/(?:png|jpeg|gif|webp)$/;
const PICTURE_BYTES_MAX = 10 * 1_048_576;

/**
 * The html of a message for a frame. Its origin is nobody's, it runs no script and posts no form; links open beside it.
 * Pictures of the message stand in the text, because a frame without a network could not load them.
 */
export async function frameOf(
  ctx: Ctx,
  id: string,
  { token, images }: { token: string; images: boolean },
): Promise<{ html: string; headers: Record<string, string> }> {
  const claims = readFrameLink(ctx, token);
  const row = claims?.id === id ? await findCaptured(ctx.db, claims.workspaceId, EVERYTHING, id) : undefined;
  const message = row === undefined ? undefined : await parseMessage(row.mime);
  if (message?.html === undefined) throw notFound('captured email', id);
  const policy = [
    'sandbox allow-popups allow-popups-to-escape-sandbox',
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src data:${images ? ' https: http:' : ''}`,
    `frame-ancestors 'self' ${new URL(ctx.settings.dashboardUrl).origin}`,
  ];
  return {
    html: withTarget(withPictures(message.html, message.attachments)),
    headers: {
      'content-security-policy': policy.join('; '),
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
    },
  };
}

function withPictures(html: string, attachments: Email['attachments']): string {
  const pictures = new Map<string, string>();
  let bytes = 0;
  for (const file of attachments) {
    const id = file.contentId?.replace(/^<|>$/g, '');
    const body = bytesOf(file);
    if (id === undefined || !PICTURE.test(file.mimeType) || (bytes += body.length) > PICTURE_BYTES_MAX) continue;
    pictures.set(id, `data:${file.mimeType};base64,${body.toString('base64')}`);
  }
  return html.replace(/\bcid:([^"'\s)>]{1,250})/gi, (whole, id: string) => pictures.get(id) ?? whole);
}

/** A link would open in the frame, where a page of others cannot be shown. */
function withTarget(html: string): string {
  const base = '<base target="_blank">';
  const head = /<head(?:\s[^>]*)?>/i.exec(html) ?? /^\s*<!doctype[^>]*>/i.exec(html);
  if (head === null) return base + html;
  const at = head.index + head[0].length;
  return html.slice(0, at) + base + html.slice(at);
}
