import { createHash } from 'node:crypto';
import { type FeedbackReport, isComplaint } from '#mail/returned/arf.ts';
import { type BounceJudgement, judgeBounce } from '#mail/returned/bounce-judgement.ts';
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
        ? eventsOfReport(mail.report, email, notification)
        : eventsOfText(mail.bounce, email, notification);
    return events.length > 0 ? { kind: 'events', events } : { kind: 'ignored', note: 'nothing failed' };
  };
}

function eventsOfReport(report: DeliveryReport, email: ReturnPathOf, notification: StoredNotification): ToldEvent[] {
  const events = new Map<string, ToldEvent>();
  for (const reported of report.recipients) {
    const event = eventOf(reported, report.reportingMta, email, notification);
    // A report that repeats itself has said it once.
    if (event !== null && !events.has(event.semanticKey ?? '')) events.set(event.semanticKey ?? '', event);
  }
  return [...events.values()];
}

function eventOf(
  reported: ReportedRecipient,
  reportingMta: string | null,
  email: ReturnPathOf,
  notification: StoredNotification,
): ToldEvent | null {
  const address = addressOf(reported);
  const timestamp = notification.receivedAt.toISOString();
  switch (reported.action) {
    case 'failed':
      return bounceEvent(
        judgeBounce(reported.status, reported.diagnosticCode),
        address,
        reported,
        reportingMta,
        email,
        notification,
      );
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

function eventsOfText(bounce: BounceText, email: ReturnPathOf, notification: StoredNotification): ToldEvent[] {
  const diagnosticCode = clean(bounce.said) || null;
  // A copy to one person is about that person even if nobody is named.
  const addresses = bounce.addresses.length > 0 ? bounce.addresses : [''];
  return addresses.flatMap((address) => {
    const reported = {
      finalRecipient: address,
      originalRecipient: null,
      action: bounce.action,
      status: null,
      diagnosticCode,
      remoteMta: null,
    };
    if (bounce.action === 'delayed') return eventOf(reported, null, email, notification) ?? [];
    return bounceEvent(judgeBounce(null, bounce.said), address, reported, null, email, notification);
  });
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
