import { createHash } from 'node:crypto';
import { type FeedbackReport, isComplaint } from '#mail/returned/arf.ts';
import { type BounceJudgement, judgeBounce } from '#mail/returned/bounce-judgement.ts';
import { paragraphsOf } from '#mail/returned/bounce-paragraphs.ts';
import type { BounceText } from '#mail/returned/bounce-text.ts';
import { clean, type DeliveryReport, type ReportedRecipient } from '#mail/returned/dsn.ts';
import { readReturnedMail } from '#mail/returned/returned-mail.ts';
import type { ReturnPathOf } from '#mail/returned/verp.ts';
import type { ReadNotification, ReadOne, StoredNotification, ToldEvent } from '../notifications/notification.ts';
import { emailOfAddress, emailOfReport } from './returned-email.ts';

/**
 * Reads a bounce message or a feedback report. Which email it is about is never taken from its text: the address it
 * came to says so, or the return path a feedback report carries, and both have a tag that only we can make. `key` is
 * that of the return paths.
 */
export function createReadBounceMail(key: Buffer): ReadOne {
  return async (notification) => {
    const mail = await readReturnedMail(notification.body);
    if (mail.kind === 'malformed') return { kind: 'malformed', note: clean(mail.why).slice(0, 200) };
    if (mail.kind === 'other') return { kind: 'ignored', note: mail.what };
    const email =
      emailOfAddress(notification.envelopeTo ?? '', key) ??
      (mail.kind === 'feedback' ? emailOfReport(notification.body, key) : null);
    if (email === null) return { kind: 'malformed', note: 'it came to no return path of ours' };
    if (mail.kind === 'feedback') return complaintsOf(mail.feedback, email, notification);
    const events =
      mail.kind === 'report'
        ? eventsOfReport(mail, email, notification)
        : eventsOfText(mail.bounce, email, notification);
    return events.length > 0 ? { kind: 'events', events } : { kind: 'ignored', note: 'nothing failed' };
  };
}

function eventsOfReport(
  { report, said }: { report: DeliveryReport; said: string },
  email: ReturnPathOf,
  notification: StoredNotification,
): ToldEvent[] {
  const events = new Map<string, ToldEvent>();
  const wordsOf = wordsBeside(report, said);
  for (const reported of report.recipients) {
    const event = eventOf(reported, wordsOf(reported), report.reportingMta, email, notification);
    // A report that repeats itself has said it once.
    if (event !== null && !events.has(event.semanticKey ?? '')) events.set(event.semanticKey ?? '', event);
  }
  return [...events.values()];
}

/** The part for people: all of it is about the only recipient; of several, each has the own paragraph. */
function wordsBeside({ recipients }: DeliveryReport, said: string): (reported: ReportedRecipient) => string {
  if (recipients.length === 1) return () => said;
  const keyOf = (reported: ReportedRecipient): string => addressOf(reported).toLowerCase();
  const paragraphs = paragraphsOf(said, recipients.slice(0, PARAGRAPHS_MAX).map(keyOf));
  return (reported) => paragraphs?.get(keyOf(reported)) ?? '';
}

/** The fields speak; the words for people only where the fields give no reason at all (Gmail, OpenSMTPD). */
function judgeReported({ status, diagnosticCode }: ReportedRecipient, words: string): BounceJudgement {
  const judged = judgeBounce(status, diagnosticCode);
  return judged.cause === 'unclear' && diagnosticCode === null ? judgeBounce(status, words) : judged;
}

function eventOf(
  reported: ReportedRecipient,
  words: string,
  reportingMta: string | null,
  email: ReturnPathOf,
  notification: StoredNotification,
): ToldEvent | null {
  const address = addressOf(reported);
  const timestamp = notification.receivedAt.toISOString();
  switch (reported.action) {
    case 'failed':
      return bounceEvent(judgeReported(reported, words), address, reported, reportingMta, email, notification);
    case 'delayed':
      return told('delivery_delay', address, notification.id, email, notification, {
        deliveryDelay: {
          timestamp,
          delayType: delayTypeOf(reported),
          delayedRecipients: [{ emailAddress: address, ...saidOf(reported) }],
          ...(reportingMta === null ? {} : { reportingMTA: reportingMta }),
        },
      });
    case 'delivered':
      return told('delivery', address, '', email, notification, {
        delivery: {
          timestamp,
          recipients: [address],
          ...(reported.diagnosticCode === null ? {} : { smtpResponse: reported.diagnosticCode }),
          ...(reportingMta === null ? {} : { reportingMTA: reportingMta }),
        },
      });
    // Handed on to where nobody reports from: whether it arrives, nobody will say.
    case 'relayed':
    case 'expanded':
      return null;
  }
}

/**
 * Of several people each is judged by the own paragraph, and by nothing where there is none. The first event then names
 * nobody and stands for everything the text says: of a copy to one person all of it is about that person.
 */
function eventsOfText(bounce: BounceText, email: ReturnPathOf, notification: StoredNotification): ToldEvent[] {
  const { addresses, said } = bounce;
  if (addresses.length < 2) return eventOfText(bounce, addresses[0] ?? '', said, email, notification);
  const paragraphs = paragraphsOf(said, addresses);
  return [
    ...eventOfText(bounce, '', said, email, notification),
    ...addresses.flatMap((one) => eventOfText(bounce, one, paragraphs?.get(one) ?? '', email, notification)),
  ];
}

function eventOfText(
  { action, said }: BounceText,
  address: string,
  words: string,
  email: ReturnPathOf,
  notification: StoredNotification,
): ToldEvent[] {
  const diagnosticCode = clean(words) || clean(said) || null;
  const reported = { finalRecipient: address, originalRecipient: null, action, status: null, diagnosticCode };
  const whole = { ...reported, remoteMta: null };
  if (action === 'failed') return [bounceEvent(judgeBounce(null, words), address, whole, null, email, notification)];
  const event = eventOf(whole, '', null, email, notification);
  return event === null ? [] : [event];
}

function bounceEvent(
  { bounceType, bounceSubType }: BounceJudgement,
  address: string,
  reported: ReportedRecipient,
  reportingMta: string | null,
  email: ReturnPathOf,
  notification: StoredNotification,
): ToldEvent {
  return told('bounce', address, bounceType, email, notification, {
    bounce: {
      bounceType,
      bounceSubType,
      bouncedRecipients: [{ emailAddress: address, action: 'failed', ...saidOf(reported) }],
      timestamp: notification.receivedAt.toISOString(),
      feedbackId: notification.id,
      ...(reportingMta === null ? {} : { reportingMTA: reportingMta }),
    },
  });
}

function complaintsOf(
  feedback: FeedbackReport,
  email: ReturnPathOf,
  notification: StoredNotification,
): ReadNotification {
  const { feedbackType, userAgent, originalRecipients } = feedback;
  if (!isComplaint(feedbackType)) return { kind: 'ignored', note: `a feedback report of type ${feedbackType}` };
  const addresses = originalRecipients.length > 0 ? originalRecipients.map((one) => clean(one)) : [''];
  const events = addresses.map((address) =>
    told('complaint', address, '', email, notification, {
      complaint: {
        complainedRecipients: [{ emailAddress: address }],
        complaintFeedbackType: feedbackType,
        feedbackId: notification.id,
        timestamp: notification.receivedAt.toISOString(),
        ...(userAgent === null ? {} : { userAgent }),
      },
    }),
  );
  return { kind: 'events', events };
}

// A grouped message has at most 50 recipients.
const PARAGRAPHS_MAX = 50;

/** The time is that of the arrival: what a stranger's clock says decides nothing here. */
function told(
  type: ToldEvent['type'],
  recipient: string,
  apart: string,
  { workspaceId, emailId }: ReturnPathOf,
  notification: StoredNotification,
  payload: ToldEvent['payload'],
): ToldEvent {
  const semanticKey = createHash('sha256').update(`${type}|${recipient.toLowerCase()}|${apart}`).digest('base64url');
  return {
    workspaceId,
    emailId,
    type,
    recipient,
    at: notification.receivedAt,
    payload,
    semanticKey: `mail|${semanticKey}`,
    isForgeable: true,
    providerMessageId: null,
  };
}

/** The one we had written to, if it was kept on the way. */
function addressOf({ originalRecipient, finalRecipient }: ReportedRecipient): string {
  return originalRecipient?.includes('@') === true ? originalRecipient : finalRecipient;
}

const saidOf = ({ status, diagnosticCode }: ReportedRecipient): Record<string, string> => ({
  ...(status === null ? {} : { status }),
  ...(diagnosticCode === null ? {} : { diagnosticCode }),
});

/** The words of Amazon SES. */
function delayTypeOf({ status, diagnosticCode }: ReportedRecipient): string {
  const { bounceSubType } = judgeBounce(status, diagnosticCode);
  if (bounceSubType === 'MailboxFull') return 'MailboxFull';
  return (status ?? '').startsWith('4.4.') ? 'TransientCommunicationFailure' : 'Undetermined';
}
