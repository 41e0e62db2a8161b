import type { Mailbox } from '#mail/addresses.ts';
import type { EmailOrigin } from '#mail/email-origin.ts';
import type { Take } from '#platform/usage/take-usage.ts';
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

/** The fields that all emails of a send share; stored once. */
export interface AcceptedContent {
  from: Mailbox;
  /** `domainId` null: a domain of the instance, which has no row. */
  domain: { domain: string; domainId: string | null };
  replyTo: readonly Mailbox[];
  subject: string;
  html: string | null;
  text: string | null;
  headers: Readonly<Record<string, string>>;
  inReplyTo: string | null;
  tags: readonly { name: string; value: string }[];
  metadata: Readonly<Record<string, unknown>>;
  trackOpens: boolean;
  trackClicks: boolean;
  attachments: readonly AcceptedAttachment[];
}

/** The simplest content: one text for everybody, not tracked, without attachments. */
export const plainContent = (
  content: Pick<AcceptedContent, 'from' | 'domain' | 'subject' | 'html' | 'text'> & Partial<AcceptedContent>,
): AcceptedContent => ({
  replyTo: [],
  headers: {},
  inReplyTo: null,
  tags: [],
  metadata: {},
  trackOpens: false,
  trackClicks: false,
  attachments: [],
  ...content,
});

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
  batch?: { id: string; index: number };
  /**
   * The record that the send belongs to. Webhooks that are limited to some newsletters read it; it is shown with the
   * email.
   */
  origin?: Partial<EmailOrigin> & { subscriberId?: string };
  /** Places in limits and caps, those of the key first. All of them are taken, or the send is refused. */
  takes: readonly Take[];
}

/** The result of a send. The ids are final: Message-IDs are made from them. */
export interface SendReceipt {
  jobId: string;
  total: number;
  suppressed: number;
  emails: { id: string; recipient: string; status: 'queued' | 'suppressed' }[];
  /**
   * The count of each take's window, with this send. Empty when the places are taken at the end of the transaction.
   */
  used: readonly number[];
}
