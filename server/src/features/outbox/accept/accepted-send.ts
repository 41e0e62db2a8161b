import type { Mailbox } from '#mail/addresses/addresses.ts';
import type { EmailOrigin } from '#mail/email-origin.ts';
import type { RawMessage } from '#mail/raw/read-raw-message.ts';
import { trackableHtml } from '#mail/raw/trackable-html.ts';
import type { Take } from '#platform/usage/take.ts';
import type { Lane } from '../lane.ts';
import type { BulkSource, Source } from '#mail/email-sources.ts';

/** A file that goes with every email of a send. */
export interface AcceptedAttachment {
  filename: string;
  contentType: string;
  /** Content-ID without angle brackets, for inline images. */
  cid: string | null;
  disposition: 'attachment' | 'inline';
  body: Buffer;
}

/** The fields that all emails of a send share, whoever composes them; stored once. */
interface ContentRecord {
  from: Mailbox;
  /** `domainId` null: a domain of the instance, which has no row. */
  domain: { domain: string; domainId: string | null };
  replyTo: readonly Mailbox[];
  subject: string;
  tags: readonly { name: string; value: string }[];
  metadata: Readonly<Record<string, unknown>>;
}

/** The parts of a message that we compose for each recipient. */
export interface ComposedContent extends ContentRecord {
  kind: 'composed';
  html: string | null;
  text: string | null;
  headers: Readonly<Record<string, string>>;
  inReplyTo: string | null;
  trackOpens: boolean;
  trackClicks: boolean;
  attachments: readonly AcceptedAttachment[];
}

/**
 * A message that somebody else composed. Every recipient of the envelope gets these bytes, whoever stands in To, except
 * for links and a pixel in html that is tracked. Sender, Reply-To and subject are those of the message, for its record.
 */
export interface RawContent extends ContentRecord, Pick<RawMessage, 'mime' | 'messageId'> {
  kind: 'raw';
  trackOpens: boolean;
  trackClicks: boolean;
}

export type AcceptedContent = ComposedContent | RawContent;

/** The simplest content: one text for everybody, not tracked, without attachments. */
export const plainContent = (
  content: Pick<ComposedContent, 'from' | 'domain' | 'subject' | 'html' | 'text'> & Partial<ComposedContent>,
): ComposedContent => ({
  replyTo: [],
  headers: {},
  inReplyTo: null,
  tags: [],
  metadata: {},
  trackOpens: false,
  trackClicks: false,
  attachments: [],
  ...content,
  kind: 'composed',
});

type RawGiven = Pick<RawContent, 'domain'> &
  Partial<Pick<RawContent, 'tags' | 'metadata' | 'trackOpens' | 'trackClicks'>>;

/** The content of a message that was read for sending as it is. One whose html may not be changed is not tracked. */
export function rawContent(message: RawMessage, given: RawGiven): RawContent {
  const { trackOpens = false, trackClicks = false } = given;
  const isTracked = (trackOpens || trackClicks) && 'html' in trackableHtml(message.mime);
  return {
    kind: 'raw',
    tags: [],
    metadata: {},
    ...message,
    ...given,
    trackOpens: isTracked && trackOpens,
    trackClicks: isTracked && trackClicks,
  };
}

/** The bytes that a send brings to the database, besides what every send has. */
export function bytesOf(content: AcceptedContent): number {
  if (content.kind === 'raw') return content.mime.length;
  const files = content.attachments.reduce((sum, file) => sum + file.body.length, 0);
  return (content.html?.length ?? 0) + (content.text?.length ?? 0) + files;
}

/** Texts of single recipients. */
export interface Variant extends Pick<ComposedContent, 'subject' | 'html' | 'text'> {
  /** Positions in `recipients`. */
  of: readonly number[];
}

/** A validated send: everything that can refuse it was checked, except limits and suppression. */
export interface AcceptedSend {
  source: Exclude<Source, BulkSource>;
  lane: Exclude<Lane, 'bulk'>;
  content: AcceptedContent;
  /** One private email each, no identity twice. With `grouped`, empty: the addresses are there. */
  recipients: readonly Mailbox[];
  /** One message to all of them, at most 50 addresses. */
  grouped?: { to: readonly Mailbox[]; cc: readonly Mailbox[]; bcc: readonly Mailbox[] };
  expiresAt: Date | null;
  sandbox: boolean;
  apiKey: { readonly id: string } | null;
  /** The id of the request that brought it. */
  requestId?: string;
  batch?: { id: string; index: number };
  /**
   * The record that the send belongs to. Webhooks that are limited to some newsletters read it; it is shown with the
   * email.
   */
  origin?: Partial<EmailOrigin> & { subscriberId?: string };
  /** The version of the template in `origin`. */
  templateVersion?: number;
  /** Texts that only some of the recipients get, each in place of those of `content`. */
  variants?: readonly Variant[];
  /** Places in limits and caps, those of the key first. All of them are taken, or the send is refused. */
  takes: readonly Take[];
}

/** The result of a send. The ids are final: Message-IDs are made from them. */
export interface SendReceipt {
  jobId: string;
  total: number;
  suppressed: number;
  emails: {
    id: string;
    recipient: string;
    status: 'queued' | 'suppressed';
    /** The suppressed addresses of a message to a group; none of a send that was accepted outside a transaction. */
    leftOut: readonly string[];
  }[];
  /**
   * The count of each take's window, with this send. Empty when the places are taken at the end of the transaction.
   */
  used: readonly number[];
}
