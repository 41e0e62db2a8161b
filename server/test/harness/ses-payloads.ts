/**
 * What Amazon SES publishes to SNS, built as its Developer Guide shows it: "Contents of event data that Amazon SES
 * publishes to Amazon SNS" and "Examples of event data that Amazon SES publishes to Amazon SNS". Each builder takes the
 * email it is about and, where a test needs it, changes to the part of its own (`bounce`, `complaint`, …).
 */

export interface SesMail {
  /** The answer of SendEmail. */
  messageId: string;
  /** Left out: the message carries no tags of ours, as when somebody else sent it. */
  workspaceId?: string;
  emailId?: string;
  source?: string;
  destination?: string[];
  sentAt?: Date;
  configurationSet?: string;
}

export interface SesEvent {
  eventType: string;
  mail: Record<string, unknown>;
  [part: string]: unknown;
}

type Part = Record<string, unknown>;

const ACCOUNT = '123456789012';
const recipientsOf = (mail: SesMail): string[] => mail.destination ?? ['recipient@example.com'];
const at = (mail: SesMail, afterMs: number): string =>
  new Date((mail.sentAt ?? new Date('2017-08-05T00:40:02.012Z')).getTime() + afterMs).toISOString();
/** SES numbers its reports like its messages. */
const feedbackIdOf = (mail: SesMail, kind: string): string => `0100015${kind}-${mail.messageId.slice(0, 36)}-000000`;

function mailObject(mail: SesMail): Part {
  const source = mail.source ?? 'sender@example.com';
  const destination = recipientsOf(mail);
  const subject = 'Message sent from Amazon SES';
  return {
    timestamp: at(mail, 0),
    source,
    sourceArn: `arn:aws:ses:us-east-1:${ACCOUNT}:identity/${source}`,
    sendingAccountId: ACCOUNT,
    messageId: mail.messageId,
    destination,
    headersTruncated: false,
    headers: [
      { name: 'From', value: source },
      { name: 'To', value: destination.join(', ') },
      { name: 'Subject', value: subject },
      { name: 'MIME-Version', value: '1.0' },
      { name: 'Content-Type', value: 'text/plain; charset=UTF-8' },
    ],
    commonHeaders: { from: [source], to: destination, messageId: mail.messageId, subject },
    tags: {
      'ses:operation': ['SendEmail'],
      'ses:configuration-set': [mail.configurationSet ?? 'posthorn'],
      'ses:source-ip': ['192.0.2.0'],
      'ses:from-domain': [source.split('@')[1] ?? ''],
      'ses:caller-identity': ['ses_user'],
      ...(mail.workspaceId === undefined ? {} : { posthorn_workspace: [mail.workspaceId] }),
      ...(mail.emailId === undefined ? {} : { posthorn_email: [mail.emailId] }),
    },
  };
}

const event = (eventType: string, mail: SesMail, name: string, part: Part): SesEvent => ({
  eventType,
  mail: mailObject(mail),
  [name]: part,
});

export const sendEvent = (mail: SesMail): SesEvent => event('Send', mail, 'send', {});

export const deliveryEvent = (mail: SesMail, change: Part = {}): SesEvent =>
  event('Delivery', mail, 'delivery', {
    timestamp: at(mail, 3_000),
    processingTimeMillis: 3_000,
    recipients: recipientsOf(mail),
    smtpResponse: '250 2.6.0 Message received',
    remoteMtaIp: '198.51.100.7',
    reportingMTA: 'mta.example.com',
    ...change,
  });

/**
 * Types and subtypes: Undetermined; Permanent with General, NoEmail, Suppressed, OnAccountSuppressionList,
 * UnsubscribedRecipient; Transient with General, MailboxFull, MessageTooLarge, CustomTimeoutExceeded,
 * ContentRejected, AttachmentRejected.
 */
export function bounceEvent(
  mail: SesMail,
  change: Part & { bounceType?: string; bounceSubType?: string; status?: string; diagnosticCode?: string } = {},
): SesEvent {
  const { status, diagnosticCode, ...rest } = change;
  const transient = rest.bounceType === 'Transient';
  return event('Bounce', mail, 'bounce', {
    feedbackId: feedbackIdOf(mail, '7c44f053b'),
    bounceType: 'Permanent',
    bounceSubType: 'General',
    bouncedRecipients: recipientsOf(mail).map((emailAddress) => ({
      emailAddress,
      action: 'failed',
      status: status ?? (transient ? '4.2.2' : '5.1.1'),
      diagnosticCode: diagnosticCode ?? (transient ? 'smtp; 452 4.2.2 mailbox full' : 'smtp; 550 5.1.1 user unknown'),
    })),
    timestamp: at(mail, 60_657),
    reportingMTA: 'dns; mta.example.com',
    ...rest,
  });
}

export const complaintEvent = (mail: SesMail, change: Part = {}): SesEvent =>
  event('Complaint', mail, 'complaint', {
    feedbackId: feedbackIdOf(mail, '7c4cfd7ec'),
    complaintSubType: null,
    complainedRecipients: recipientsOf(mail).map((emailAddress) => ({ emailAddress })),
    timestamp: at(mail, 120_000),
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36',
    complaintFeedbackType: 'abuse',
    arrivalDate: at(mail, 120_000),
    ...change,
  });

export const rejectEvent = (mail: SesMail, change: Part = {}): SesEvent =>
  event('Reject', mail, 'reject', { reason: 'Bad content', ...change });

/**
 * delayType: InternalFailure, General, MailboxFull, SpamDetected, RecipientServerError, IPFailure,
 * TransientCommunicationFailure, BYOIPHostNameLookupUnavailable, Undetermined, SendingDeferral.
 */
export const deliveryDelayEvent = (mail: SesMail, change: Part = {}): SesEvent =>
  event('DeliveryDelay', mail, 'deliveryDelay', {
    timestamp: at(mail, 600_000),
    delayType: 'TransientCommunicationFailure',
    expirationTime: at(mail, 43_200_000),
    delayedRecipients: recipientsOf(mail).map((emailAddress) => ({
      emailAddress,
      status: '4.4.1',
      diagnosticCode: 'smtp; 421 4.4.1 Unable to connect to remote host',
    })),
    ...change,
  });

export const openEvent = (mail: SesMail, change: Part = {}): SesEvent =>
  event('Open', mail, 'open', {
    ipAddress: '192.0.2.1',
    timestamp: at(mail, 90_000),
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 10_3_3 like Mac OS X) AppleWebKit/603.3.8 (KHTML, like Gecko)',
    ...change,
  });

export const clickEvent = (mail: SesMail, change: Part = {}): SesEvent =>
  event('Click', mail, 'click', {
    ipAddress: '192.0.2.1',
    link: 'http://docs.aws.amazon.com/ses/latest/DeveloperGuide/send-email-smtp.html',
    linkTags: { samplekey0: ['samplevalue0'], samplekey1: ['samplevalue1'] },
    timestamp: at(mail, 95_000),
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/60.0',
    ...change,
  });

/** With a space in its name, and a part that is called `failure`. */
export const renderingFailureEvent = (mail: SesMail, change: Part = {}): SesEvent =>
  event('Rendering Failure', mail, 'failure', {
    errorMessage: "Attribute 'attributeName' is not present in the rendering data.",
    templateName: 'MyTemplate',
    ...change,
  });

export const subscriptionEvent = (mail: SesMail, change: Part = {}): SesEvent =>
  event('Subscription', mail, 'subscription', {
    contactList: 'ContactListName',
    timestamp: at(mail, 100_000),
    source: 'UnsubscribeHeader',
    newTopicPreferences: {
      unsubscribeAll: true,
      topicSubscriptionStatus: [{ topicName: 'ExampleTopicName', subscriptionStatus: 'OptOut' }],
    },
    oldTopicPreferences: {
      unsubscribeAll: false,
      topicSubscriptionStatus: [{ topicName: 'ExampleTopicName', subscriptionStatus: 'OptOut' }],
    },
    ...change,
  });

/** One of every kind, in an order in which they may arrive. */
export const everySesEvent = (mail: SesMail): SesEvent[] =>
  [
    sendEvent,
    deliveryDelayEvent,
    deliveryEvent,
    openEvent,
    clickEvent,
    bounceEvent,
    complaintEvent,
    rejectEvent,
    renderingFailureEvent,
    subscriptionEvent,
  ].map((build) => build(mail));

/**
 * The older form: notifications of an identity without event publishing. `notificationType` in place of `eventType`,
 * no tags ("Examples of Amazon SNS notifications for Amazon SES").
 */
export function asIdentityNotification({ eventType, mail, ...parts }: SesEvent): Record<string, unknown> {
  const { tags: _tags, ...rest } = mail;
  return { notificationType: eventType, mail: rest, ...parts };
}

export interface SesReceived {
  messageId: string;
  source: string;
  recipients: string[];
  /** For the action S3; left out: the action SNS with `content`. */
  object?: { bucketName: string; objectKey: string };
  content?: Buffer;
  encoding?: 'BASE64' | 'UTF-8';
  verdicts?: Partial<Record<'spam' | 'virus' | 'spf' | 'dkim' | 'dmarc', string>>;
}

/** The notification of a receipt rule: "Examples of notifications for Amazon SES email receiving". */
export function receivedNotification({
  messageId,
  source,
  recipients,
  object,
  content = Buffer.alloc(0),
  encoding = 'BASE64',
  verdicts = {},
}: SesReceived): Record<string, unknown> {
  const topicArn = `arn:aws:sns:us-east-1:${ACCOUNT}:posthorn`;
  const verdictOf = (name: keyof typeof verdicts) => ({ status: verdicts[name] ?? 'PASS' });
  return {
    notificationType: 'Received',
    receipt: {
      timestamp: '2015-09-11T20:32:33.936Z',
      processingTimeMillis: 222,
      recipients,
      spamVerdict: verdictOf('spam'),
      virusVerdict: verdictOf('virus'),
      spfVerdict: verdictOf('spf'),
      dkimVerdict: verdictOf('dkim'),
      dmarcVerdict: verdictOf('dmarc'),
      action:
        object === undefined
          ? { type: 'SNS', topicArn, encoding }
          : { type: 'S3', topicArn, objectKeyPrefix: 'in/', ...object },
    },
    mail: {
      timestamp: '2015-09-11T20:32:33.936Z',
      source,
      messageId,
      destination: recipients,
      headersTruncated: false,
      headers: [{ name: 'Return-Path', value: `<${source}>` }],
      commonHeaders: { returnPath: source, to: recipients },
    },
    ...(object === undefined ? { content: content.toString(encoding === 'BASE64' ? 'base64' : 'utf8') } : {}),
  };
}
