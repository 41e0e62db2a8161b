import { type bulkSends, showPersonal } from '#features/outbox';
import { isOfList } from '#mail/email-sources.ts';
import { htmlToText } from '#mail/message/html-to-text.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { readMessage } from '../read-message.ts';
import { requireEmail } from './get-email.ts';
import { listAttachments, loadRawMessage, type OneEmailRow } from './queries/one-email.ts';

type LoadRecipients = ReturnType<typeof bulkSends.loaderOf>;

/** The dependencies of reading a record on features above it, given by main. */
export interface RecordPorts {
  /** The personal part of each recipient's issue. */
  loadRecipients: LoadRecipients;
}

type Content = Pick<OneEmailRow, 'subject' | 'html' | 'text' | 'headers'>;

/** The holder of such a link is the subscriber to us; reading a list of emails makes nobody that. */
const LINK_TOKEN = /(\/api\/n\/(?:confirm|unsubscribe|preferences|data)\?token=)[\w.-]+/g;
const withoutToken = (text: string): string => text.replace(LINK_TOKEN, '$1hidden');

/**
 * What the recipient gets, before tracking: of an issue rendered for them, as it would be made at this moment, with the
 * frame that has the way out. The tokens of links to confirm, leave and choose are hidden; they are whole in the email
 * itself.
 */
export async function getEmailContent(ctx: Ctx, { loadRecipients }: RecordPorts, id: string) {
  const row = await requireEmail(ctx, id);
  if (row.givenMessageId !== null)
    return rawContentOf(row, await loadRawMessage(ctx.db, ctx.workspaceId, row.contentId));
  const { subject, html, text, headers } = isOfList(row.source)
    ? withoutLinkTokens((await personalOf(row, ctx.workspaceId, loadRecipients)) ?? row)
    : row;
  const attachments = await listAttachments(ctx.db, ctx.workspaceId, row.contentId);
  return {
    id: row.id,
    subject,
    html,
    // Without a text of its own the message carries one made from the html.
    text: text ?? (html === null ? null : htmlToText(html)),
    headers,
    attachments: attachments.map(({ contentType, contentId, ...file }) => ({
      ...file,
      content_type: contentType,
      content_id: contentId,
    })),
  };
}

/** The bytes of a raw message, as they were accepted. 404: we compose this email, or it was erased. */
export async function getEmailRaw(ctx: Ctx, id: string): Promise<Buffer> {
  const row = await requireEmail(ctx, id);
  const mime = await loadRawMessage(ctx.db, ctx.workspaceId, row.contentId);
  if (mime === undefined) throw notFound('raw message of an email', id);
  return mime;
}

/** Of a message that somebody else composed, its parts as a mail client finds them. */
async function rawContentOf({ id, subject }: OneEmailRow, mime: Buffer | undefined) {
  const read = mime === undefined ? { headers: [], html: null, text: null, attachments: [] } : await readMessage(mime);
  return {
    id,
    subject,
    html: read.html,
    text: read.text,
    headers: joined(read.headers),
    attachments: read.attachments.map(({ filename, disposition, ...file }) => ({
      id: null,
      filename: filename ?? '',
      disposition: disposition === 'inline' ? ('inline' as const) : ('attachment' as const),
      ...file,
    })),
  };
}

/** A field that is there more than once, such as Received, has its values in lines. */
function joined(headers: readonly { name: string; value: string }[]): Record<string, string> {
  const values = new Map<string, string[]>();
  for (const { name, value } of headers) values.set(name, [...(values.get(name) ?? []), value]);
  return Object.fromEntries([...values].map(([name, all]) => [name, all.join('\n')]));
}

/**
 * null: it is the same for all, or there is nobody any more for whom it could be made; then what is stored is shown.
 */
async function personalOf(row: OneEmailRow, workspaceId: string, load: LoadRecipients): Promise<Content | null> {
  const { id, sendId, contentId, audienceKind, subscriberId, personal, recipient: to } = row;
  if (personal === null) return null;
  const recipient = (
    await load([{ workspaceId, id, sendId, contentId, audienceKind, subscriberId, recipient: to }])
  ).get(id);
  if (recipient === undefined) return null;
  // Before a template can take a link to pieces, and afterwards what its author wrote by hand.
  const variables = Object.fromEntries(
    Object.entries(recipient.variables).map(([name, value]) => [
      name,
      typeof value === 'string' ? withoutToken(value) : value,
    ]),
  );
  const shown = await showPersonal(row, personal, { variables });
  const headers = [...recipient.headers, ...personal.headers].map(({ name, value }) => [name, value]);
  return shown && { ...shown, headers: { ...row.headers, ...Object.fromEntries(headers) } };
}

function withoutLinkTokens({ subject, html, text, headers }: Content): Content {
  return {
    subject,
    html: html === null ? null : withoutToken(html),
    text: text === null ? null : withoutToken(text),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, withoutToken(value)])),
  };
}
