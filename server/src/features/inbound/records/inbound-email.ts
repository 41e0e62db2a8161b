import type { MailAuth } from '#mail/inbound/authenticate-message.ts';
import type { InboundFile, InboundMailbox } from '#mail/inbound/read-message.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { MailVerdicts } from '#platform/smtp/mail-verdicts.ts';
import { fileLink } from './file-link.ts';
import { contentVerdict } from './verdicts.ts';

/** Fields of a message that are stored as one value. */
export interface InboundParts {
  to: InboundMailbox[];
  cc: InboundMailbox[];
  reply_to: InboundMailbox[];
  headers: { name: string; value: string }[];
  files: InboundFile[];
}

/** A received message as it is stored, without its bytes. */
export interface InboundEmail {
  workspaceId: string;
  id: string;
  domainId: string;
  receivedAt: Date;
  /** null: it waits to be read. */
  readAt: Date | null;
  size: number;
  envelopeFrom: string;
  envelopeTo: string[];
  parseError: string | null;
  fromEmail: string | null;
  fromName: string | null;
  subject: string | null;
  messageId: string | null;
  inReplyTo: string | null;
  references: string[];
  writtenAt: Date | null;
  autoSubmitted: boolean;
  mailboxHash: string | null;
  threadId: string | null;
  inReplyToEmailId: string | null;
  matchedBy: string | null;
  text: string | null;
  html: string | null;
  strippedChars: number | null;
  strippedConfidence: number | null;
  parts: Partial<InboundParts>;
  auth: MailAuth | null;
  /** Of the service that received it; null: it came over SMTP. */
  verdicts: MailVerdicts | null;
  eventId: string | null;
}

export type InboundSummary = Omit<InboundEmail, 'text' | 'html' | 'parts' | 'references' | 'verdicts'> & {
  attachments: number;
};

export type Linking = Pick<Ctx, 'secrets' | 'clock' | 'settings'>;

const confidenceOf = (value: number | null): number | null => (value === null ? null : Math.round(value * 100) / 100);

/** The fields that a list shows. */
export const summaryView = (mail: InboundSummary) => ({
  id: mail.id,
  domain_id: mail.domainId,
  received_at: mail.receivedAt.toISOString(),
  from: mailboxView(mail.fromEmail, mail.fromName),
  envelope: { from: mail.envelopeFrom, to: mail.envelopeTo },
  subject: mail.subject,
  message_id: mail.messageId,
  mailbox_hash: mail.mailboxHash,
  size: mail.size,
  attachments: mail.attachments,
  status: mail.readAt === null ? ('waiting' as const) : ('read' as const),
  parse_error: mail.parseError,
  auto_submitted: mail.autoSubmitted,
  in_reply_to_email_id: mail.inReplyToEmailId,
  thread_id: mail.threadId,
});

const mailboxView = (email: string | null, name: string | null): InboundMailbox | null =>
  email === null ? null : { email, name };

/** Everything about a message but its forwarding: in the API and, with its long texts cut, for the webhook. */
export function inboundView(mail: InboundEmail, linking: Linking) {
  const { to = [], cc = [], reply_to = [], headers = [], files = [] } = mail.parts;
  const link = (file: number) => fileLink(linking, { workspaceId: mail.workspaceId, id: mail.id, file });
  const raw = link(0);
  return {
    id: mail.id,
    from: mailboxView(mail.fromEmail, mail.fromName),
    to,
    cc,
    reply_to,
    envelope: { from: mail.envelopeFrom, to: mail.envelopeTo },
    subject: mail.subject,
    date: mail.writtenAt?.toISOString() ?? null,
    message_id: mail.messageId,
    in_reply_to: mail.inReplyTo,
    references: mail.references,
    mailbox_hash: mail.mailboxHash,
    text: mail.text,
    html: mail.html,
    stripped_text: mail.text === null ? null : mail.text.slice(0, mail.strippedChars ?? undefined),
    quoted_text: mail.text === null ? null : mail.text.slice(mail.strippedChars ?? mail.text.length),
    stripped_confidence: confidenceOf(mail.strippedConfidence),
    headers,
    attachments: files.map((file) => {
      const { url, expiresAt } = link(Number(file.id));
      return {
        id: file.id,
        filename: file.filename,
        content_type: file.contentType,
        size: file.size,
        content_id: file.contentId,
        disposition: file.disposition,
        url,
        url_expires_at: expiresAt,
      };
    }),
    size: mail.size,
    parse_error: mail.parseError,
    spam: { verdict: contentVerdict(mail.verdicts?.spam), score: null },
    virus: { verdict: contentVerdict(mail.verdicts?.virus) },
    auth: mail.auth,
    auto_submitted: mail.autoSubmitted,
    in_reply_to_email_id: mail.inReplyToEmailId,
    matched_by: mail.matchedBy,
    contact_id: null,
    thread_id: mail.threadId,
    received_at: mail.receivedAt.toISOString(),
    raw_url: raw.url,
    raw_url_expires_at: raw.expiresAt,
  };
}
