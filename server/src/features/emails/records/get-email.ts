import { maySeeMail } from '#features/workspaces';
import { htmlToText } from '#mail/html-to-text.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { isUuid } from '#platform/ids.ts';
import { emailView } from './email-record.ts';
import { findEmail, listAttachments, listEvents, type OneEmailRow } from './queries/one-email.ts';

/** The email, or 404: not there, another workspace's, and mail that the caller is not shown. */
export async function requireEmail(ctx: Ctx, id: string): Promise<OneEmailRow> {
  const row = isUuid(id) ? await findEmail(ctx.db, ctx.workspaceId, id) : undefined;
  if (row === undefined || !maySeeMail(ctx.actor, row)) throw notFound('email', id);
  return row;
}

export async function getEmail(ctx: Ctx, id: string) {
  const row = await requireEmail(ctx, id);
  const events = await listEvents(ctx.db, ctx.workspaceId, row.id);
  return { ...emailView(row), events: events.map(({ data, ...event }) => ({ ...event, event_data: data })) };
}

/** Whoever holds such a link is the subscriber to us; reading a list of emails makes nobody that. */
const LINK_TOKEN = /(\/api\/n\/(?:confirm|unsubscribe|preferences)\?token=)[\w.-]+/g;

/** The content with the tokens of confirmation and unsubscribe links taken out. They are whole in the email itself. */
function withoutLinkTokens(row: OneEmailRow): OneEmailRow {
  if (row.source !== 'newsletter') return row;
  const hide = (text: string): string => text.replace(LINK_TOKEN, '$1hidden');
  const headers = Object.fromEntries(Object.entries(row.headers).map(([name, value]) => [name, hide(value)]));
  return {
    ...row,
    html: row.html === null ? null : hide(row.html),
    text: row.text === null ? null : hide(row.text),
    headers,
  };
}

export async function getEmailContent(ctx: Ctx, id: string) {
  const row = withoutLinkTokens(await requireEmail(ctx, id));
  const attachments = await listAttachments(ctx.db, ctx.workspaceId, row.contentId);
  return {
    id: row.id,
    subject: row.subject,
    html: row.html,
    // What the recipient gets: without a text of its own the message carries one made from the html.
    text: row.text ?? (row.html === null ? null : htmlToText(row.html)),
    headers: row.headers,
    attachments: attachments.map(({ contentType, contentId, ...file }) => ({
      ...file,
      content_type: contentType,
      content_id: contentId,
    })),
  };
}
