import { createHash } from 'node:crypto';
import { storableText } from '#platform/db/storable-text.ts';
import { isUuid } from '#platform/ids.ts';
import type { ReadNotification, ReadOne, StoredNotification, ToldEvent } from './notification.ts';
import { readSesReceipt } from './read-ses-receipt.ts';
import { ownEntry } from '#platform/own-entry.ts';

type Part = Readonly<Record<string, unknown>>;

/**
 * Reads a message of Amazon SNS that carries an event of Amazon SES: of event publishing (`eventType`) or of an
 * identity's notifications (`notificationType`, no tags), or a message that SES received (`notificationType` Received).
 * Its signature was verified before it was stored.
 * Fields: "Contents of event data that Amazon SES publishes to Amazon SNS" of the SES Developer Guide.
 */
export const readSesNotification: ReadOne = async (notification) => {
  const message = messageOf(notification);
  if (typeof message === 'string') {
    // Said once when an event destination is made: "Successfully validated SNS topic for Amazon SES event publishing."
    return message.startsWith('Successfully validated SNS topic')
      ? { kind: 'ignored', note: 'a test of the topic' }
      : { kind: 'malformed', note: 'the message is not JSON' };
  }
  const type = textOf(message['eventType']) ?? textOf(message['notificationType']);
  const mail = partOf(message['mail']);
  if (type === undefined) return { kind: 'malformed', note: 'neither eventType nor notificationType' };
  if (type === 'AmazonSnsSubscriptionSucceeded') return { kind: 'ignored', note: 'a test of the topic' };
  if (mail === undefined) return { kind: 'malformed', note: 'no mail object' };
  return type === 'Received'
    ? readSesReceipt(message, mail, notification)
    : readEvent(type, message, mail, notification);
};

function readEvent(type: string, message: Part, mail: Part, notification: StoredNotification): ReadNotification {
  const kind = ownEntry(KINDS, type);
  if (kind === undefined) return { kind: 'ignored', note: `an event of type ${type.slice(0, 40)}` };
  const part = partOf(storable(message[kind.part], 0));
  if (part === undefined) return { kind: 'malformed', note: `no ${kind.part} object` };
  if (kind.type === 'complaint' && part['complaintFeedbackType'] === 'not-spam') {
    return { kind: 'ignored', note: 'a report that it is not spam' };
  }
  const tags = partOf(mail['tags']);
  const [workspaceId, emailId] = [tagOf(tags, 'posthorn_workspace'), tagOf(tags, 'posthorn_email')];
  const isTagged = workspaceId !== null && emailId !== null;
  const providerMessageId = textOf(storable(mail['messageId'], 0)) ?? null;
  if (!isTagged && providerMessageId === null) return { kind: 'malformed', note: 'neither tags nor a message id' };

  const destination = listOf(storable(mail['destination'], 0)).flatMap((one) => textOf(one) ?? []);
  const recipients = kind.recipients(part, destination);
  const [at, timestamp] = timeOf(part, mail, notification.receivedAt);
  const events = recipients.map((recipient): ToldEvent => {
    const address = textOf(recipient) ?? textOf(partOf(recipient)?.['emailAddress']) ?? '';
    const distinct = [type, textOf(part['feedbackId']) ?? timestamp, ...(kind.apart?.(part) ?? [])];
    return {
      workspaceId: isTagged ? workspaceId : null,
      emailId: isTagged ? emailId : null,
      type: kind.type,
      recipient: address,
      at,
      payload: kind.payload(part, recipient),
      semanticKey: semanticKey([providerMessageId ?? '', kind.type, address.toLowerCase(), ...distinct]),
      providerMessageId,
    };
  });
  return { kind: 'events', events };
}

interface Kind {
  type: ToldEvent['type'];
  /** Name of its own object in the message. */
  part: string;
  /** One event for each: an address, or an object with emailAddress. */
  recipients(part: Part, destination: readonly string[]): readonly unknown[];
  /** The event_data of our own event: SES's object, cut down to the one recipient. */
  payload(part: Part, recipient: unknown): Part;
  /** The other fields in which two events of one instant differ. */
  apart?(part: Part): string[];
}

/** An event of the whole message: said once, of its first recipient. */
const first = (_part: Part, destination: readonly string[]): readonly unknown[] => [destination[0] ?? ''];
const everybody = (_part: Part, destination: readonly string[]): readonly unknown[] =>
  destination.length === 0 ? [''] : destination;
const listed =
  (name: string) =>
  (part: Part, destination: readonly string[]): readonly unknown[] => {
    const given = listOf(part[name]);
    return given.length === 0 ? everybody(part, destination) : given;
  };
const who = (part: Part): string[] => ['ipAddress', 'userAgent', 'link'].map((name) => textOf(part[name]) ?? '');

const KINDS: Readonly<Record<string, Kind>> = {
  Send: { type: 'send', part: 'send', recipients: first, payload: (part) => ({ send: part }) },
  Delivery: {
    type: 'delivery',
    part: 'delivery',
    recipients: listed('recipients'),
    payload: (part, recipient) => ({ delivery: { ...part, recipients: [recipient] } }),
  },
  Bounce: {
    type: 'bounce',
    part: 'bounce',
    recipients: listed('bouncedRecipients'),
    payload: (part, recipient) => ({ bounce: { ...part, bouncedRecipients: [named(recipient)] } }),
  },
  Complaint: {
    type: 'complaint',
    part: 'complaint',
    recipients: listed('complainedRecipients'),
    payload: (part, recipient) => ({ complaint: { ...part, complainedRecipients: [named(recipient)] } }),
  },
  Reject: { type: 'reject', part: 'reject', recipients: everybody, payload: (part) => ({ reject: part }) },
  DeliveryDelay: {
    type: 'delivery_delay',
    part: 'deliveryDelay',
    recipients: listed('delayedRecipients'),
    payload: (part, recipient) => ({ deliveryDelay: { ...part, delayedRecipients: [named(recipient)] } }),
  },
  Open: { type: 'open', part: 'open', recipients: first, payload: (part) => ({ open: part }), apart: who },
  Click: { type: 'click', part: 'click', recipients: first, payload: (part) => ({ click: part }), apart: who },
  'Rendering Failure': {
    type: 'reject',
    part: 'failure',
    recipients: everybody,
    payload: (part) => ({
      reject: {
        reason: 'Bad content',
        message: `Rendering failure: ${textOf(part['errorMessage']) ?? 'no reason given'}`,
      },
    }),
  },
};

const named = (recipient: unknown): unknown =>
  typeof recipient === 'string' ? { emailAddress: recipient } : recipient;

/** A deep chain of quotes is somebody's mistake, once. */
function messageOf({ body }: StoredNotification): Part | string {
  const envelope: unknown = JSON.parse(body.toString('utf8'));
  const text = textOf(partOf(envelope)?.['Message']) ?? '';
  let value: unknown = text;
  for (let round = 0; round < 2 && typeof value === 'string'; round += 1) {
    try {
      value = JSON.parse(value);
    } catch {
      return text;
    }
  }
  return partOf(value) ?? text;
}

const DEPTH_MAX = 16;
const TEXT_MAX = 4_096;

/** Nothing that is said of an email needs a book, or a book of books. */
function storable(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return storableText(value.slice(0, TEXT_MAX));
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEPTH_MAX) return null;
  if (Array.isArray(value)) return value.map((item) => storable(item, depth + 1));
  const entries = Object.entries(value).map(([name, item]) => [storable(name, depth), storable(item, depth + 1)]);
  return Object.fromEntries(entries);
}

const DAY_MS = 86_400_000;
/** SES tries for 14 hours and SNS for 23 days; what claims to be older has a wrong clock. */
const AGE_MAX_MS = 45 * DAY_MS;

/** When it happened, and as it was written. A time that cannot be true (1970, 2100) becomes that of the arrival. */
function timeOf(part: Part, mail: Part, receivedAt: Date): [Date, string] {
  const written = textOf(part['timestamp']) ?? textOf(storable(mail['timestamp'], 0)) ?? '';
  const ms = Date.parse(written);
  const age = receivedAt.getTime() - ms;
  const isPossible = age >= 0 && age <= AGE_MAX_MS;
  return [isPossible ? new Date(ms) : receivedAt, written];
}

const KEY_CHARS_MAX = 200;

/** The same for the same event, however often and under whatever number it is told. */
function semanticKey(parts: readonly string[]): string {
  const key = parts.join('|');
  return key.length <= KEY_CHARS_MAX ? key : createHash('sha256').update(key).digest('base64url');
}

function tagOf(tags: Part | undefined, name: string): string | null {
  const value = textOf(listOf(tags?.[name])[0])?.toLowerCase();
  return value !== undefined && isUuid(value) ? value : null;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function partOf(value: unknown): Part | undefined {
  const isPart = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isPart ? (value as Part) : undefined; // an object that is no array has names and values
}
