import { createHash, createPrivateKey, randomBytes, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { selfSignedCertificate } from './self-signed-certificate.ts';

/**
 * Amazon SNS as an HTTP endpoint sees it: signs messages with a key of its own, serves the certificate, posts, and
 * answers ConfirmSubscription. After the pages "HTTP/HTTPS notification JSON format", "HTTP/HTTPS subscription
 * confirmation JSON format", "HTTP/HTTPS unsubscribe confirmation JSON format", "HTTP/HTTPS headers" and "Verifying the
 * signature of an Amazon SNS message when using HTTP query-based requests" of the Amazon SNS Developer Guide.
 */
export interface SnsMessage {
  Type: string;
  MessageId: string;
  TopicArn: string;
  Subject?: string;
  Token?: string;
  Message: string;
  SubscribeURL?: string;
  UnsubscribeURL?: string;
  Timestamp: string;
  SignatureVersion: string;
  Signature: string;
  SigningCertURL: string;
}

export type SnsSignatureVersion = '1' | '2';

export interface SnsMessageOptions {
  /** `1`: SHA1withRSA, `2`: SHA256withRSA. 2 when left out. */
  version?: SnsSignatureVersion;
  messageId?: string;
  topicArn?: string;
  subject?: string;
  timestamp?: Date;
}

export interface FakeSnsOptions {
  topicArn?: string;
  /** Name in the certificate; `sns.amazonaws.com` when left out. */
  commonName?: string;
  /** The certificate is good for a day before and after; now when left out. */
  certifiedAround?: Date;
}

export interface FakeSns {
  /** `http://127.0.0.1:<port>`: what POSTHORN_SNS_CERT_HOST is set to. */
  readonly origin: string;
  readonly topicArn: string;
  readonly certificateUrl: string;
  readonly certificate: string;
  /** Path and query of every request that came, in order. */
  readonly requests: readonly string[];
  /** Tokens that were confirmed. */
  readonly confirmed: readonly { topicArn: string; token: string }[];
  notification(message: string | object, options?: SnsMessageOptions): SnsMessage;
  /** Its token can be confirmed here. */
  subscriptionConfirmation(options?: SnsMessageOptions): SnsMessage;
  unsubscribeConfirmation(options?: SnsMessageOptions): SnsMessage;
  /** The message with a fresh signature over its present fields: for tests that change what is signed. */
  signed(message: SnsMessage, version?: SnsSignatureVersion): SnsMessage;
  /** Posts as SNS does, and gives the answer. */
  post(url: string, message: SnsMessage): Promise<{ status: number; body: string }>;
  /** Answers every request with this status until it is called with undefined. */
  answerWith(status: number | undefined): void;
  stop(): Promise<void>;
}

const KEYS_OF_NOTIFICATION = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'] as const;
const KEYS_OF_CONFIRMATION = [
  'Message',
  'MessageId',
  'SubscribeURL',
  'Timestamp',
  'Token',
  'TopicArn',
  'Type',
] as const;

/** Name and value of each signed field on lines of their own; fields that are not there are left out. */
function stringToSign(message: SnsMessage): string {
  const keys = message.Type === 'Notification' ? KEYS_OF_NOTIFICATION : KEYS_OF_CONFIRMATION;
  return keys.flatMap((key) => (message[key] === undefined ? [] : [`${key}\n${message[key]}\n`])).join('');
}

export async function startFakeSns(options: FakeSnsOptions = {}): Promise<FakeSns> {
  const topicArn = options.topicArn ?? 'arn:aws:sns:us-east-1:123456789012:posthorn';
  const made = selfSignedCertificate({
    kind: 'rsa',
    commonName: options.commonName ?? 'sns.amazonaws.com',
    ...(options.certifiedAround === undefined ? {} : { around: options.certifiedAround }),
  });
  const key = createPrivateKey(made.key);
  const certificatePath = `/SimpleNotificationService-${createHash('md5').update(made.cert).digest('hex')}.pem`;
  const requests: string[] = [];
  const tokens = new Map<string, string>();
  const confirmed: { topicArn: string; token: string }[] = [];
  let forced: number | undefined;

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    requests.push(request.url ?? '');
    if (forced !== undefined) return void response.writeHead(forced).end();
    const url = new URL(request.url ?? '/', 'http://sns');
    if (url.pathname === certificatePath) {
      return void response.writeHead(200, { 'content-type': 'binary/octet-stream' }).end(made.cert);
    }
    if (url.searchParams.get('Action') === 'ConfirmSubscription') return confirm(url.searchParams, response);
    response.writeHead(404).end();
  };
  const confirm = (query: URLSearchParams, response: ServerResponse): void => {
    const topic = query.get('TopicArn') ?? '';
    const token = query.get('Token') ?? '';
    const known = tokens.get(token) === topic;
    if (known) confirmed.push({ topicArn: topic, token });
    response.writeHead(known ? 200 : 400, { 'content-type': 'text/xml' });
    response.end(
      known
        ? `<ConfirmSubscriptionResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><ConfirmSubscriptionResult><SubscriptionArn>${topic}:${randomUUID()}</SubscriptionArn></ConfirmSubscriptionResult><ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></ConfirmSubscriptionResponse>`
        : `<ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><Error><Type>Sender</Type><Code>InvalidParameter</Code><Message>Invalid parameter: Token</Message></Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`,
    );
  };

  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const certificateUrl = `${origin}${certificatePath}`;

  const signed = (message: SnsMessage, version?: SnsSignatureVersion): SnsMessage => {
    const SignatureVersion = version ?? message.SignatureVersion;
    const hash = SignatureVersion === '1' ? 'sha1' : 'sha256';
    const Signature = sign(hash, Buffer.from(stringToSign(message)), key).toString('base64');
    return { ...message, SignatureVersion, Signature };
  };
  const head = (type: string, given: SnsMessageOptions) => ({
    Type: type,
    MessageId: given.messageId ?? randomUUID(),
    TopicArn: given.topicArn ?? topicArn,
  });
  const tail = (given: SnsMessageOptions) => ({
    Timestamp: (given.timestamp ?? new Date()).toISOString(),
    SignatureVersion: given.version ?? '2',
    Signature: '',
    SigningCertURL: certificateUrl,
  });
  const confirmation = (type: string, text: (topic: string) => string, given: SnsMessageOptions): SnsMessage => {
    const topic = given.topicArn ?? topicArn;
    const token = randomBytes(128).toString('hex');
    tokens.set(token, topic);
    const query = new URLSearchParams({ Action: 'ConfirmSubscription', TopicArn: topic, Token: token });
    return signed({
      ...head(type, given),
      Token: token,
      Message: text(topic),
      SubscribeURL: `${origin}/?${query.toString()}`,
      ...tail(given),
    });
  };

  return {
    origin,
    topicArn,
    certificateUrl,
    certificate: made.cert,
    requests,
    confirmed,
    notification(message, given = {}) {
      const topic = given.topicArn ?? topicArn;
      return signed({
        ...head('Notification', given),
        ...(given.subject === undefined ? {} : { Subject: given.subject }),
        Message: typeof message === 'string' ? message : JSON.stringify(message),
        ...tail(given),
        UnsubscribeURL: `${origin}/?Action=Unsubscribe&SubscriptionArn=${topic}:${randomUUID()}`,
      });
    },
    subscriptionConfirmation: (given = {}) =>
      confirmation(
        'SubscriptionConfirmation',
        (topic) =>
          `You have chosen to subscribe to the topic ${topic}.\nTo confirm the subscription, visit the SubscribeURL included in this message.`,
        given,
      ),
    unsubscribeConfirmation: (given = {}) =>
      confirmation(
        'UnsubscribeConfirmation',
        (topic) =>
          `You have chosen to deactivate subscription ${topic}:${randomUUID()}.\nTo cancel this operation and restore the subscription, visit the SubscribeURL included in this message.`,
        given,
      ),
    signed,
    async post(url, message) {
      const headers = {
        'content-type': 'text/plain; charset=UTF-8',
        'user-agent': 'Amazon Simple Notification Service Agent',
        'x-amz-sns-message-type': message.Type,
        'x-amz-sns-message-id': message.MessageId,
        'x-amz-sns-topic-arn': message.TopicArn,
      };
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(message) });
      return { status: response.status, body: await response.text() };
    },
    answerWith(status) {
      forced = status;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
