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

/** What all emails of a send have in common; stored once. */
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

/** A content of which nothing is asked but what is given: one text for everybody, not tracked, without files. */
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

/** A validated send: everything that could be refused has been looked at, except limits and suppression. */
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
  /** What it is sent for: told to endpoints that are limited to some newsletters, and shown with the email. */
  origin?: Partial<EmailOrigin> & { subscriberId?: string };
  /** Places in limits and caps, those of the key first: all of them are taken, or the send is refused. */
  takes: readonly Take[];
}

/** What a send has become. The ids are final: Message-IDs are made from them. */
export interface SendReceipt {
  jobId: string;
  total: number;
  suppressed: number;
  emails: { id: string; recipient: string; status: 'queued' | 'suppressed' }[];
  /** What the window of each take counts with this send; empty when it is taken later, at the end of a transaction. */
  used: readonly number[];
}
