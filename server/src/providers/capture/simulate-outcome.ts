import { newId } from '#platform/ids.ts';

/** The events of a provider about one recipient; `payload` is the event_data of our own events. */
export interface SimulatedEvent {
  type: 'delivery' | 'bounce' | 'complaint' | 'reject' | 'delivery_delay';
  recipient: string;
  at: Date;
  payload: Record<string, unknown>;
}

const SIMULATOR = 'simulator.amazonses.com';
// Providers speak some time after they took the message, and of one message in order.
const FIRST_MS = 20;
const SECOND_MS = 60;
// Long enough that "delayed" can be seen before "delivered".
const AFTER_DELAY_MS = 500;
const DELAY_EXPIRES_MS = 14 * 3_600_000;
const REPORTER = 'capture.posthorn.test';

/**
 * The fate of one recipient, told as Amazon SES tells it. At simulator.amazonses.com the local part decides, up to a
 * "+label"; everybody else gets their mail.
 */
export function simulateOutcome(recipient: string, taken: Date): SimulatedEvent[] {
  const after = (ms: number): Date => new Date(taken.getTime() + ms);
  const told = (outcome: SimulatedOutcome, at: Date): SimulatedEvent => simulatedEvent(outcome, recipient, at, taken);
  switch (simulatedPart(recipient)) {
    case 'bounce':
      return [told('bounce', after(FIRST_MS))];
    case 'softbounce':
      return [told('soft_bounce', after(FIRST_MS))];
    case 'suppressionlist':
      return [bounced(recipient, after(FIRST_MS), ON_SUPPRESSION_LIST)];
    case 'complaint':
      return [told('delivery', after(FIRST_MS)), told('complaint', after(SECOND_MS))];
    case 'reject':
      return [told('reject', after(FIRST_MS))];
    case 'delay':
      return [told('delay', after(FIRST_MS)), told('delivery', after(AFTER_DELAY_MS))];
    default:
      return [told('delivery', after(FIRST_MS))];
  }
}

export type SimulatedOutcome = 'delivery' | 'bounce' | 'soft_bounce' | 'complaint' | 'reject' | 'delay';

/** One event about a recipient of a message that was taken at `taken`. */
export function simulatedEvent(outcome: SimulatedOutcome, recipient: string, at: Date, taken: Date): SimulatedEvent {
  switch (outcome) {
    case 'delivery':
      return { type: 'delivery', recipient, at, payload: deliveryOf(recipient, at, at.getTime() - taken.getTime()) };
    case 'bounce':
      return bounced(recipient, at, USER_UNKNOWN);
    case 'soft_bounce':
      return bounced(recipient, at, MAILBOX_FULL);
    case 'complaint':
      return { type: 'complaint', recipient, at, payload: complaintOf(recipient, at) };
    case 'reject':
      return { type: 'reject', recipient, at, payload: { reject: { reason: 'Bad content' } } };
    case 'delay':
      return { type: 'delivery_delay', recipient, at, payload: delayOf(recipient, at) };
  }
}

const bounced = (recipient: string, at: Date, bounce: Bounce): SimulatedEvent => ({
  type: 'bounce',
  recipient,
  at,
  payload: bounceOf(recipient, at, bounce),
});

function simulatedPart(recipient: string): string | undefined {
  const at = recipient.lastIndexOf('@');
  if (recipient.slice(at + 1).toLowerCase() !== SIMULATOR) return undefined;
  return recipient.slice(0, at).toLowerCase().split('+')[0];
}

interface Bounce {
  type: 'Permanent' | 'Transient';
  subType: string;
  status: string;
  diagnosticCode: string;
}

const USER_UNKNOWN: Bounce = {
  type: 'Permanent',
  subType: 'General',
  status: '5.1.1',
  diagnosticCode: 'smtp; 550 5.1.1 user unknown',
};
const MAILBOX_FULL: Bounce = {
  type: 'Transient',
  subType: 'MailboxFull',
  status: '4.2.2',
  diagnosticCode: 'smtp; 452 4.2.2 mailbox full',
};
const ON_SUPPRESSION_LIST: Bounce = {
  type: 'Permanent',
  subType: 'OnAccountSuppressionList',
  status: '5.1.1',
  diagnosticCode:
    'Suppressed: the provider does not send to this address because it is on the suppression list of the account',
};

const deliveryOf = (recipient: string, at: Date, processingTimeMillis: number) => ({
  delivery: {
    timestamp: at.toISOString(),
    processingTimeMillis,
    recipients: [recipient],
    smtpResponse: '250 2.6.0 Message received',
    reportingMTA: REPORTER,
  },
});

const bounceOf = (recipient: string, at: Date, bounce: Bounce) => ({
  bounce: {
    bounceType: bounce.type,
    bounceSubType: bounce.subType,
    bouncedRecipients: [
      { emailAddress: recipient, action: 'failed', status: bounce.status, diagnosticCode: bounce.diagnosticCode },
    ],
    timestamp: at.toISOString(),
    feedbackId: newId(),
    reportingMTA: `dsn; ${REPORTER}`,
  },
});

const complaintOf = (recipient: string, at: Date) => ({
  complaint: {
    complainedRecipients: [{ emailAddress: recipient }],
    complaintFeedbackType: 'abuse',
    feedbackId: newId(),
    timestamp: at.toISOString(),
    userAgent: 'Posthorn mailbox simulator',
  },
});

const delayOf = (recipient: string, at: Date) => ({
  deliveryDelay: {
    delayType: 'TransientCommunicationFailure',
    delayedRecipients: [
      {
        emailAddress: recipient,
        status: '4.4.1',
        diagnosticCode: 'smtp; 421 4.4.1 Unable to connect to remote host',
      },
    ],
    expirationTime: new Date(at.getTime() + DELAY_EXPIRES_MS).toISOString(),
    timestamp: at.toISOString(),
  },
});
