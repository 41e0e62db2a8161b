import { storableText } from '#platform/db/storable-text.ts';
import type { MailVerdicts, Verdict } from '#platform/smtp/mail-verdicts.ts';
import type { MailReceipt } from '../announcements.ts';
import type { ReadNotification, StoredNotification } from './notification.ts';
import { TOPIC_ARN } from './sns/sns-message.ts';

type Part = Readonly<Record<string, unknown>>;

/** SES takes 500 recipients of one message. */
const RECIPIENTS_MAX = 500;
const ADDRESS_CHARS_MAX = 320;
/** Page "Creating object key names" of the Amazon S3 User Guide: 1,024 bytes. */
const KEY_BYTES_MAX = 1_024;
const VERDICTS: readonly Verdict[] = ['PASS', 'FAIL', 'GRAY', 'PROCESSING_FAILED', 'DISABLED'];

/**
 * Reads the notification of a receipt rule: its action SNS has the message itself, its action S3 says where the message
 * lies. Fields: "Contents of notifications for Amazon SES email receiving" of the SES Developer Guide.
 */
export function readSesReceipt(message: Part, mail: Part, { topic }: StoredNotification): ReadNotification {
  const receipt = partOf(message['receipt']);
  const action = partOf(receipt?.['action']);
  if (receipt === undefined || action === undefined) return { kind: 'malformed', note: 'no receipt with an action' };
  const type = textOf(action['type']) ?? '';
  if (type !== 'SNS' && type !== 'S3') {
    return { kind: 'ignored', note: `a receipt rule with the action ${type.slice(0, 40)} holds no message` };
  }
  const content = type === 'SNS' ? inlineOf(message, action) : objectOf(action, topic);
  if (content === undefined) return { kind: 'malformed', note: `no message in a receipt of the action ${type}` };
  const messageId = textOf(mail['messageId']);
  if (messageId === undefined || messageId === '') return { kind: 'malformed', note: 'no message id' };
  const recipients = addressesOf(receipt['recipients'] ?? mail['destination']);
  if (recipients.length === 0) return { kind: 'malformed', note: 'no recipients' };
  const from = storableText(textOf(mail['source']) ?? '').slice(0, ADDRESS_CHARS_MAX);
  return {
    kind: 'receipt',
    receipt: { messageId, from: from === '<>' ? '' : from, recipients, verdicts: verdictsOf(receipt), content },
  };
}

/** `encoding` stands in the action; base64 has no colon, and every header has one. */
function inlineOf(message: Part, action: Part): MailReceipt['content'] | undefined {
  const text = textOf(message['content']);
  if (text === undefined || text === '') return undefined;
  const isBase64 = /^base64$/i.test(textOf(action['encoding']) ?? '') || /^[A-Za-z0-9+/=\r\n]+$/.test(text);
  return { bytes: Buffer.from(text, isBase64 ? 'base64' : 'utf8') };
}

/** The topic is in the region of the rule. The SDK follows S3 to the region of the bucket. */
function objectOf(action: Part, topic: string | null): MailReceipt['content'] | undefined {
  const bucket = textOf(action['bucketName']) ?? '';
  const key = textOf(action['objectKey']) ?? '';
  const region = TOPIC_ARN.exec(topic ?? '')?.[2];
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) || region === undefined) return undefined;
  if (key === '' || key !== storableText(key) || Buffer.byteLength(key) > KEY_BYTES_MAX) return undefined;
  return { region, bucket, key };
}

function addressesOf(value: unknown): string[] {
  const all = Array.isArray(value) ? value : [];
  const texts = all.filter((one): one is string => typeof one === 'string' && one.length <= ADDRESS_CHARS_MAX);
  return [
    ...new Set(texts.filter((one) => /^[^\x00-\x20\x7f]+@[^\x00-\x20\x7f@]+$/.test(one)).map(storableText)),
  ].slice(0, RECIPIENTS_MAX);
}

function verdictsOf(receipt: Part): MailVerdicts {
  const of = (name: string): Verdict | null => {
    const status = partOf(receipt[`${name}Verdict`])?.['status'];
    return VERDICTS.find((one) => one === status) ?? null;
  };
  return { spam: of('spam'), virus: of('virus'), spf: of('spf'), dkim: of('dkim'), dmarc: of('dmarc') };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function partOf(value: unknown): Part | undefined {
  const isPart = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isPart ? (value as Part) : undefined; // an object that is no array has names and values
}
