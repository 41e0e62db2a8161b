import { invalid } from '#platform/errors/app-error.ts';
import { parseStrictJson } from '#platform/http/body/strict-json.ts';

/**
 * A message as Amazon SNS posts it to an HTTP endpoint, read and not yet believed ("HTTP/HTTPS notification JSON
 * format" of its Developer Guide).
 */
export interface SnsMessage {
  type: 'Notification' | 'SubscriptionConfirmation' | 'UnsubscribeConfirmation';
  messageId: string;
  topicArn: string;
  /** Of confirmations. */
  token: string;
  timestamp: Date;
  signatureVersion: '1' | '2';
  signature: Buffer;
  signingCertUrl: string;
  /** The text that the signature covers. */
  signedText: string;
}

const SIGNED_OF_NOTIFICATION = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'];
const SIGNED_OF_CONFIRMATION = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];

/** The shape of an ARN of a topic; its region and account are parts of it. */
export const TOPIC_ARN = /^arn:(aws(?:-[a-z]+)*):sns:([a-z0-9-]{1,40}):(\d{12}):[A-Za-z0-9_.-]{1,256}$/;

/** Reads the body of a request from SNS; 400 for what none of its messages looks like. */
export function readSnsMessage(body: Buffer): SnsMessage {
  const posted = parseStrictJson(body);
  // Something in between may have made a JSON text of it.
  const json = typeof posted === 'string' ? parseStrictJson(Buffer.from(posted)) : posted;
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw invalid('body', 'The body must be a message of Amazon SNS: a JSON object.');
  }
  const fields = new Map<string, unknown>(Object.entries(json));
  if (!fields.has('Type') && (fields.has('eventType') || fields.has('notificationType'))) {
    throw invalid('body', RAW_DELIVERY);
  }
  const text = (name: string): string => {
    const value = fields.get(name);
    if (typeof value !== 'string' || value === '') throw invalid(name, `${name} is missing.`);
    return value;
  };
  const type = text('Type');
  if (type !== 'Notification' && type !== 'SubscriptionConfirmation' && type !== 'UnsubscribeConfirmation') {
    throw invalid('Type', 'Type must be Notification, SubscriptionConfirmation or UnsubscribeConfirmation.');
  }
  const signed = type === 'Notification' ? SIGNED_OF_NOTIFICATION : SIGNED_OF_CONFIRMATION;
  const signatureVersion = text('SignatureVersion');
  if (signatureVersion !== '1' && signatureVersion !== '2') {
    throw invalid('SignatureVersion', 'SignatureVersion must be 1 or 2.');
  }
  return {
    type,
    messageId: matching('MessageId', text('MessageId'), /^[\x21-\x7e]{1,100}$/),
    topicArn: matching('TopicArn', text('TopicArn'), TOPIC_ARN),
    token: type === 'Notification' ? '' : matching('Token', text('Token'), /^[A-Za-z0-9_-]{1,2048}$/),
    timestamp: instant(text('Timestamp')),
    signatureVersion,
    signature: Buffer.from(matching('Signature', text('Signature'), /^[A-Za-z0-9+/]{64,1400}={0,2}$/), 'base64'),
    signingCertUrl: text('SigningCertURL'),
    // Name and value on lines of their own; a subject that is not there is left out. The text of a message may be
    // empty.
    signedText: signed
      .flatMap((name) =>
        name === 'Message'
          ? [`${name}\n${plainText(fields.get(name))}\n`]
          : name === 'Subject' && (fields.get(name) ?? null) === null
            ? []
            : [`${name}\n${plainText(fields.get(name))}\n`],
      )
      .join(''),
  };
}

export const RAW_DELIVERY =
  'This looks like raw message delivery, which has no signature. Switch it off in the subscription of the topic ' +
  '(RawMessageDelivery=false).';

function plainText(value: unknown): string {
  if (typeof value !== 'string') throw invalid('body', 'A signed field is missing or is no text.');
  return value;
}

function matching(name: string, value: string, form: RegExp): string {
  if (!form.test(value)) throw invalid(name, `${name} is not what Amazon SNS would send.`);
  return value;
}

function instant(text: string): Date {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw invalid('Timestamp', 'Timestamp is no time.');
  return at;
}
