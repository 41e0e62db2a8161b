import type { Mailbox } from '#mail/addresses/addresses.ts';
import type { Attachment } from '#mail/attachments/attachment-rules.ts';
import { htmlToText } from '#mail/message/html-to-text.ts';
import {
  type MessageContent,
  type PreparedContent,
  prepareContent,
  prepareOpenContent,
} from '#mail/message/message.ts';
import { prepareRawMessage } from '#mail/raw/sign-raw-message.ts';
import { trackableHtml } from '#mail/raw/trackable-html.ts';
import { mailboxOf } from '#mail/addresses/stored-mailbox.ts';
import { LANES } from '../lane.ts';
import { type ContentTracking, contentTracking, type Tracking } from './content-tracking.ts';
import type { createMergeStore } from './merge-store.ts';
import { type MergedContent, preparePersonal } from './prepare-personal.ts';
import type { ComposedSend, PreparedSend, RawSend } from './prepared-send.ts';
import type { ContentBodies, ContentRow } from './queries/load-contents.ts';
import { UnfitContent } from './unfit-content.ts';

/** Shared by all contents of a process. */
export interface Composing {
  /** null: links and html stay as they were given. */
  tracking: Tracking | null;
  merges: ReturnType<typeof createMergeStore<MergedContent>>;
}

export async function prepareSend(
  row: ContentRow,
  bodies: ContentBodies,
  attachments: readonly Attachment[],
  { tracking, merges }: Composing,
): Promise<PreparedSend> {
  if (row.messageId !== null) return rawSend(row, row.messageId, bodies.mime, contentTracking(row, tracking));
  const from = senderOf(row);
  const content = {
    from,
    replyTo: row.replyTo.map(mailboxOf),
    subject: row.subject,
    html: bodies.html,
    text: bodies.text,
    headers: row.headers,
    inReplyTo: row.inReplyTo,
    attachments,
  };
  const tracked = contentTracking(row, tracking);
  const contentFor =
    row.personal === null
      ? contentMaker(content, tracked)
      : await preparePersonal({ content, personal: row.personal, tracking: tracked, shapes: merges.shapesOf(row.id) });
  return { kind: 'composed', contentFor, from, fromDomain: row.fromDomain };
}

function rawSend(row: ContentRow, messageId: string, mime: Buffer | null, tracking: ContentTracking | null): RawSend {
  const { subject, fromDomain } = row;
  return {
    kind: 'raw',
    messageFor: rawMaker(mime, fromDomain, tracking),
    messageId,
    subject,
    from: senderOf(row),
    fromDomain,
  };
}

function rawMaker(mime: Buffer | null, fromDomain: string, tracking: ContentTracking | null): RawSend['messageFor'] {
  // Erasing somebody leaves no byte of it.
  if (mime === null || mime.length === 0) {
    const erased = new UnfitContent('The content of this email was erased.');
    return () => erased;
  }
  const found = tracking === null ? null : trackableHtml(mime);
  if (tracking === null || found === null || !('html' in found)) {
    const prepared = prepareRawMessage(mime, fromDomain);
    return () => prepared;
  }
  const pieces = tracking.piecesOf(found.html);
  return ({ id }) => {
    const recipient = { trail: tracking.trailOf(id) };
    const html = pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text(recipient))).join('');
    return prepareRawMessage(found.withHtml(html), fromDomain);
  };
}

const senderOf = ({ fromAddress, fromName }: ContentRow): Mailbox =>
  mailboxOf({ address: fromAddress, name: fromName });

function contentMaker(content: MessageContent, tracking: ContentTracking | null): ComposedSend['contentFor'] {
  const { html, subject } = content;
  if (html === null || tracking === null) {
    const prepared = { content: prepareContent(content), subject, headers: [] };
    return () => prepared;
  }
  const text = content.text ?? htmlToText(html);
  const texts = text === '' ? null : [text];
  const open = prepareOpenContent({ ...content, html: tracking.piecesOf(html), text: texts });
  // Nobody may see who reads the mail of the system itself, whatever the workspace has set.
  let plain: PreparedContent | undefined;
  return ({ id, lane }) => {
    if (lane !== LANES.system) return { content: open.fill({ trail: tracking.trailOf(id) }), subject, headers: [] };
    plain ??= prepareContent(content);
    return { content: plain, subject, headers: [] };
  };
}
