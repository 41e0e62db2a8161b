import { announcement } from '#platform/announcements.ts';
import type { MailVerdicts } from '#platform/smtp/mail-verdicts.ts';

/** People's opens and clicks of one email: what machines did is left out. */
export interface HumanEngagement {
  workspaceId: string;
  emailId: string;
  /** The latest of those just applied; null: none. */
  openedAt: Date | null;
  clickedAt: Date | null;
}

/** Emails were opened or clicked by people, in the transaction that counts it; at most 500 emails at once. */
export const emailsEngaged = announcement<readonly HumanEngagement[]>('feedback.emails-engaged');

/** The requests of one client for one email that came so quickly that it was a machine. */
export interface LinkBurst {
  workspaceId: string;
  emailId: string;
  /** Names the network of the client; not for people. */
  client: string;
  from: Date;
  to: Date;
  /** The different links; the one to leave is not among them. */
  links: readonly string[];
  /** When the link to leave was visited in it; empty when it was not. */
  leaveVisits: readonly Date[];
}

/**
 * Machines followed the links of emails, in the transaction that counts their clicks: seconds after it happened, and
 * perhaps again when more clicks near it come to be judged. At most 500 emails at once.
 */
export const burstsJudged = announcement<readonly LinkBurst[]>('feedback.bursts-judged');

/** A message that Amazon SES has received, as its notification tells it. */
export interface MailReceipt {
  /** The number that SES gave the message. */
  messageId: string;
  /** '' is the null sender. */
  from: string;
  /** The addresses of the envelope that the receipt rule was for. */
  recipients: readonly string[];
  verdicts: MailVerdicts;
  /** The message itself, or where it lies. */
  content: { bytes: Buffer } | { region: string; bucket: string; key: string };
}

/** Amazon SES received mail, in the transaction that settles its notification; at most 250 messages at once. */
export const mailReceived = announcement<readonly MailReceipt[]>('feedback.mail-received');

/** An event of an email that was applied for the first time; opens and clicks of machines are left out. */
export interface ReportedEmail {
  workspaceId: string;
  emailId: string;
  type: 'delivery' | 'open' | 'click' | 'bounce' | 'complaint';
  /** The identity of the address. */
  recipient: string;
  /** For conditions: the link of a click, whether a bounce is permanent. */
  details: Record<string, unknown>;
}

/** Emails were delivered, opened, clicked, returned or complained about, in the transaction that counts it. */
export const emailsReported = announcement<readonly ReportedEmail[]>('feedback.emails-reported');
