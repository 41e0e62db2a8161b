import assert from 'node:assert/strict';
import { createPrivateKey, sign } from 'node:crypto';
import { test } from 'node:test';
import { AppError } from '#platform/errors/app-error.ts';
import type { SafeAnswer, SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import { selfSignedCertificate } from '../../../../../test/harness/self-signed-certificate.ts';
import { createTestClock } from '../../../../../test/harness/test-clock.ts';
import { createSigningCertificates } from './signing-certificates.ts';
import { readSnsMessage } from './sns-message.ts';
import { type Trust, verifySnsMessage } from './verify-sns-message.ts';

const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:posthorn';
const HOST = 'https://sns.eu-central-1.amazonaws.com';
const CERT_URL = `${HOST}/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem`;
const clock = createTestClock();
const certify = (options: Parameters<typeof selfSignedCertificate>[0] = {}) =>
  selfSignedCertificate({
    kind: 'rsa',
    commonName: 'sns.amazonaws.com',
    issuer: 'Amazon',
    around: clock.now(),
    ...options,
  });
const amazon = certify();

/** Serves the certificate at CERT_URL, or what the test says; counts what is asked for. */
function network(serve: (url: string) => SafeAnswer | Promise<SafeAnswer> = () => body(amazon.cert)) {
  const asked: string[] = [];
  const safeFetch: SafeFetch = {
    checkUrl: async (url) => url,
    request: async (url) => {
      asked.push(url);
      return serve(url);
    },
    close: async () => undefined,
  };
  return { safeFetch, asked };
}
const body = (text: string, more: { status?: number; truncated?: boolean } = {}): SafeAnswer => ({
  kind: 'answered',
  status: more.status ?? 200,
  statusText: '',
  headers: {},
  body: Buffer.from(text),
  truncated: more.truncated ?? false,
  tookMs: 1,
});

function trustIn(net: ReturnType<typeof network>, more: Partial<Trust> = {}): Trust {
  const certHost = more.certHost ?? null;
  return {
    topicArns: [TOPIC],
    certHost,
    certificates: createSigningCertificates({ safeFetch: net.safeFetch, clock, mustBeAmazons: certHost === null }),
    ...more,
  };
}

type Fields = Record<string, unknown>;
const SIGNED = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  Confirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
};

/** As SNS writes it, signed by `key` over the fields that are there. */
function message(
  change: Fields = {},
  options: { version?: string; key?: string; sign?: readonly string[] } = {},
): Fields {
  const fields: Fields = {
    Type: 'Notification',
    MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
    TopicArn: TOPIC,
    Message: '{"eventType":"Send"}',
    Timestamp: clock.now().toISOString(),
    SignatureVersion: options.version ?? '2',
    SigningCertURL: CERT_URL,
    UnsubscribeURL: `${HOST}/?Action=Unsubscribe&SubscriptionArn=${TOPIC}:c9135db0`,
    ...change,
  };
  const names = options.sign ?? (fields['Type'] === 'Notification' ? SIGNED.Notification : SIGNED.Confirmation);
  const text = names.flatMap((name) => (fields[name] === undefined ? [] : [`${name}\n${fields[name]}\n`])).join('');
  const hash = options.version === '1' ? 'sha1' : 'sha256';
  const key = createPrivateKey(options.key ?? amazon.key);
  return { ...fields, Signature: sign(hash, Buffer.from(text), key).toString('base64') };
}

const confirmation = (change: Fields = {}, options: Parameters<typeof message>[1] = {}): Fields =>
  message(
    {
      Type: 'SubscriptionConfirmation',
      Token: '2336412f37fb',
      SubscribeURL: `${HOST}/?Action=ConfirmSubscription`,
      ...change,
    },
    options,
  );

async function verdict(fields: Fields | string, trust: Trust): Promise<string> {
  try {
    const raw = typeof fields === 'string' ? fields : JSON.stringify(fields);
    await verifySnsMessage(readSnsMessage(Buffer.from(raw)), trust);
    return 'believed';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `${error.name}: ${error.extras.param ?? error.message}`;
  }
}

const believed: [string, Fields][] = [
  ['version 1, SHA-1', message({}, { version: '1' })],
  ['version 2, SHA-256', message()],
  ['with a subject', message({ Subject: 'Amazon SES Email Event Notification' })],
  ['with a subject of null, which is none', { ...message(), Subject: null }],
  ['with quotes, line breaks and other scripts in its message', message({ Message: '"a"\n\r\t\\ ü 漢 🎉 ' })],
  ['with an empty message', message({ Message: '' })],
  ['that is days old, as SNS repeats it', message({ Timestamp: '2026-11-01T00:00:00.000Z' })],
  ['with fields that nobody signs', { ...message(), SubscribeURL: 'https://evil.example/', more: 1 }],
  ['that confirms a subscription', confirmation()],
  ['that confirms a subscription, version 1', confirmation({}, { version: '1' })],
  ['that says that a subscription ended', confirmation({ Type: 'UnsubscribeConfirmation' })],
];
for (const [what, fields] of believed) {
  test(`a message ${what} is believed`, async () => {
    assert.equal(await verdict(fields, trustIn(network())), 'believed');
  });
}

const forged = 'permission_error: Signature';
const edits: [string, Fields, string][] = [
  ...['Message', 'MessageId', 'Subject', 'Timestamp'].map((name): [string, Fields, string] => [
    `its ${name} edited`,
    { ...message({ Subject: 'Hello' }), [name]: name === 'Timestamp' ? '2026-11-21T00:00:00.000Z' : 'edited' },
    forged,
  ]),
  ['its TopicArn edited to another of ours', { ...message(), TopicArn: `${TOPIC}-two` }, forged],
  ['its Type edited', { ...confirmation(), Type: 'UnsubscribeConfirmation' }, forged],
  ['its Token edited', { ...confirmation(), Token: 'other' }, forged],
  ['its SubscribeURL edited', { ...confirmation(), SubscribeURL: 'https://evil.example/' }, forged],
  ['a subject added', { ...message(), Subject: 'Hello' }, forged],
  ['its subject removed', { ...message({ Subject: 'Hello' }), Subject: undefined }, forged],
  ['an empty subject added', { ...message(), Subject: '' }, forged],
  [
    'its subject left out of what is signed',
    message({ Subject: 'Hello' }, { sign: SIGNED.Notification.filter((n) => n !== 'Subject') }),
    forged,
  ],
  ['a signature of version 1 that says 2', { ...message({}, { version: '1' }), SignatureVersion: '2' }, forged],
  ['a signature of version 2 that says 1', { ...message(), SignatureVersion: '1' }, forged],
  ['the signature of another key', message({}, { key: certify().key }), forged],
  ['no signature', { ...message(), Signature: undefined }, 'validation_error: Signature'],
  ['an empty signature', { ...message(), Signature: '' }, 'validation_error: Signature'],
  ['a signature that is no base64', { ...message(), Signature: '!'.repeat(344) }, 'validation_error: Signature'],
  ['version 3', { ...message(), SignatureVersion: '3' }, 'validation_error: SignatureVersion'],
  ['a version that is a number', { ...message(), SignatureVersion: 2 }, 'validation_error: SignatureVersion'],
  ['no version', { ...message(), SignatureVersion: undefined }, 'validation_error: SignatureVersion'],
  ['a type that does not exist', { ...message(), Type: 'Other' }, 'validation_error: Type'],
  ['a message that is no text', { ...message(), Message: { eventType: 'Send' } }, 'validation_error: body'],
  ['a Timestamp that is no time', message({ Timestamp: 'yesterday' }), 'validation_error: Timestamp'],
  ['a MessageId with a line break', message({ MessageId: 'a\nTopicArn' }), 'validation_error: MessageId'],
  ['a Token with a line break', confirmation({ Token: 'a\nb' }), 'validation_error: Token'],
];
for (const [what, fields, expected] of edits) {
  test(`a message with ${what} is refused`, async () => {
    assert.equal(await verdict(fields, trustIn(network(), { topicArns: [TOPIC, `${TOPIC}-two`] })), expected);
  });
}

const broken: [string, string][] = [
  ['no JSON', 'Type=Notification'],
  ['nothing', ''],
  ['a list', '[]'],
  ['null', 'null'],
  ['a key twice', JSON.stringify(message()).replace('{', '{"TopicArn":"x",')],
  ['an SES event itself (raw delivery)', '{"eventType":"Bounce","bounce":{},"mail":{}}'],
  ['a notification itself (raw delivery)', '{"notificationType":"Bounce","bounce":{},"mail":{}}'],
];
for (const [what, raw] of broken) {
  test(`a body that is ${what} is refused as malformed, and nothing is fetched`, async () => {
    const net = network();
    assert.match(await verdict(raw, trustIn(net)), /^validation_error/);
    assert.deepEqual(net.asked, []);
  });
}

test('raw delivery is refused with what to do about it', () => {
  assert.throws(() => readSnsMessage(Buffer.from('{"eventType":"Bounce"}')), /RawMessageDelivery=false/);
});

const foreign: [string, string][] = [
  ['another topic of the account', 'arn:aws:sns:eu-central-1:123456789012:other'],
  ['a topic of this name in another account', 'arn:aws:sns:eu-central-1:999999999999:posthorn'],
  ['a topic of this name in another region', 'arn:aws:sns:us-east-1:123456789012:posthorn'],
  ['a topic whose name begins like ours', `${TOPIC}x`],
  ['our topic in capitals', TOPIC.toUpperCase().replace('ARN:AWS:SNS', 'arn:aws:sns')],
];
for (const [what, topic] of foreign) {
  test(`a well-signed message of ${what} is refused before anything is fetched`, async () => {
    const net = network();
    const region = topic.split(':')[3]?.toLowerCase();
    const url = CERT_URL.replace('eu-central-1', region ?? '');
    assert.match(
      await verdict(message({ TopicArn: topic, SigningCertURL: url }), trustIn(net)),
      /^(permission|validation)_error: TopicArn$/,
    );
    assert.deepEqual(net.asked, []);
  });
}

const PEM = '/SimpleNotificationService-0123456789abcdef.pem';
const urls: [string, string][] = [
  ['another host', `https://evil.example${PEM}`],
  ['the host as a user name', `https://sns.eu-central-1.amazonaws.com@evil.example${PEM}`],
  ['user info', `https://a:b@sns.eu-central-1.amazonaws.com${PEM}`],
  ['a host that ends like it', `https://evilsns.eu-central-1.amazonaws.com${PEM}`],
  ['a host that begins like it', `https://sns.eu-central-1.amazonaws.com.evil.example${PEM}`],
  ['the host of S3', `https://s3.eu-central-1.amazonaws.com${PEM}`],
  ['another region than the topic', `https://sns.us-east-1.amazonaws.com${PEM}`],
  ['China', `https://sns.eu-central-1.amazonaws.com.cn${PEM}`],
  ['plain http', `http://sns.eu-central-1.amazonaws.com${PEM}`],
  ['a port', `https://sns.eu-central-1.amazonaws.com:8443${PEM}`],
  ['its own port, written out', `https://sns.eu-central-1.amazonaws.com:443${PEM}`],
  ['a query', `${HOST}${PEM}?a=b`],
  ['a fragment', `${HOST}${PEM}#a`],
  ['another path', `${HOST}/?Action=Publish`],
  ['a path that climbs', `${HOST}/x/..${PEM}`],
  ['another ending', `${HOST}/SimpleNotificationService-0123456789abcdef.pem.exe`],
  ['backslashes', `https:\\\\sns.eu-central-1.amazonaws.com${PEM}`],
  ['a line break', `${HOST}\n${PEM}`],
  ['capitals', `https://SNS.eu-central-1.amazonaws.com${PEM}`],
  ['a file', `file:///etc/SimpleNotificationService-0123456789abcdef.pem`],
  ['no URL', 'SimpleNotificationService.pem'],
];
for (const [what, url] of urls) {
  test(`a certificate URL with ${what} is refused, and nothing is fetched`, async () => {
    const net = network();
    assert.equal(await verdict(message({ SigningCertURL: url }), trustIn(net)), 'permission_error: SigningCertURL');
    assert.deepEqual(net.asked, []);
  });
}

const day = 86_400_000;
const refused = 'permission_error: SigningCertURL';
const missing = 'service_unavailable_error: The signing certificate could not be fetched just now.';
const short = `-----BEGIN CERTIFICATE-----\n${Buffer.from('short').toString('base64')}\n-----END CERTIFICATE-----\n`;
const certificates: [string, { cert: string; key: string }, string][] = [
  ['expired', certify({ around: new Date(clock.now().getTime() - 2 * day) }), refused],
  ['not yet valid', certify({ around: new Date(clock.now().getTime() + 2 * day) }), refused],
  ['of another name', certify({ commonName: 'sqs.amazonaws.com' }), refused],
  ['of another issuer', certify({ issuer: 'Somebody' }), refused],
  ['self-signed on the right host', certify({ issuer: undefined as never }), refused], // no issuer but itself
  ['with a key that is not RSA', certify({ kind: 'ec' }), refused],
  ['cut short', { cert: short, key: amazon.key }, refused],
  ['no certificate', { cert: '<html>', key: amazon.key }, refused],
];
for (const [what, { cert, key }, expected] of certificates) {
  test(`a certificate that is ${what} is refused`, async () => {
    const net = network(() => body(cert));
    const signed = what.includes('RSA') ? message() : message({}, { key });
    assert.equal(await verdict(signed, trustIn(net)), expected);
  });
}

const answers: [string, SafeAnswer, string][] = [
  ['of 10 MB', body(amazon.cert, { truncated: true }), refused],
  ['that does not exist', body('', { status: 404 }), refused],
  ['that a redirect leads to', body('', { status: 302 }), missing],
  ['whose host fails', body('', { status: 500 }), missing],
  ['that takes too long', { kind: 'failed', reason: 'time is up', tookMs: 5_000 }, missing],
  ['at an address that is not public', { kind: 'blocked', reason: 'not public', tookMs: 0 }, missing],
];
for (const [what, answer, expected] of answers) {
  const how = expected === missing ? 'asks SNS to come again' : 'is refused';
  test(`a certificate ${what} ${how}`, async () => {
    assert.equal(await verdict(message(), trustIn(network(() => answer))), expected);
  });
}

test('a certificate is fetched once for many messages, also when they come together', async () => {
  const net = network();
  const trust = trustIn(net);
  await Promise.all(
    Array.from({ length: 50 }, () => verifySnsMessage(readSnsMessage(Buffer.from(JSON.stringify(message()))), trust)),
  );
  await verifySnsMessage(readSnsMessage(Buffer.from(JSON.stringify(message()))), trust);
  assert.deepEqual(net.asked, [CERT_URL]);
});

test('a certificate that could not be had is asked for again soon; one that was refused, not for a minute', async () => {
  for (const [answer, seconds, expected] of [
    [body('', { status: 500 }), 3, 'believed'],
    [body('', { status: 404 }), 3, refused],
    [body('', { status: 404 }), 61, 'believed'],
  ] as const) {
    let isMended = false;
    const net = network(() => (isMended ? body(amazon.cert) : answer));
    const trust = trustIn(net);
    assert.notEqual(await verdict(message(), trust), 'believed');
    isMended = true;
    clock.advance(1_000);
    assert.notEqual(await verdict(message(), trust), 'believed');
    assert.equal(net.asked.length, 1);
    clock.advance(seconds * 1_000);
    assert.equal(await verdict(message(), trust), expected);
  }
});

test('a certificate that expires while it is kept is no longer believed', async () => {
  const ending = certify({ around: new Date(clock.now().getTime() - day + 60_000) });
  const trust = trustIn(network(() => body(ending.cert)));
  assert.equal(await verdict(message({}, { key: ending.key }), trust), 'believed');
  clock.advance(120_000);
  assert.equal(await verdict(message({}, { key: ending.key }), trust), refused);
});

test('only so many certificates are asked for at once, one after another', async () => {
  let running = 0;
  let most = 0;
  const gate = Promise.withResolvers<void>();
  const net = network(async () => {
    running += 1;
    most = Math.max(most, running);
    await gate.promise;
    running -= 1;
    return body('', { status: 500 });
  });
  const trust = trustIn(net);
  const many = Array.from({ length: 40 }, (_, n) =>
    verdict(message({ SigningCertURL: CERT_URL.replace('0123', `${1_000 + n}`) }), trust),
  );
  gate.resolve();
  assert.deepEqual(new Set(await Promise.all(many)), new Set([missing]));
  assert.equal(most, 1);
  assert.equal(net.asked.length, 16);
});

test('an emulator: its certificate needs no name and no issuer, its address is exactly the one that was set', async () => {
  const own = certify({ issuer: undefined as never, commonName: 'localhost' });
  for (const [certHost, origin] of [
    ['http://127.0.0.1:4100', 'http://127.0.0.1:4100'],
    ['127.0.0.1:4100', 'https://127.0.0.1:4100'],
    ['sns.internal', 'https://sns.internal'],
  ] as const) {
    const trust = trustIn(
      network(() => body(own.cert)),
      { certHost },
    );
    assert.equal(await verdict(message({ SigningCertURL: `${origin}${PEM}` }, { key: own.key }), trust), 'believed');
    assert.equal(await verdict(message({}, { key: own.key }), trust), refused);
    assert.equal(
      await verdict(message({ SigningCertURL: `http://127.0.0.1:4101${PEM}` }, { key: own.key }), trust),
      refused,
    );
  }
});

test('an emulator on this machine: a host may mean http and any port, and the certificate any name', async () => {
  const own = certify({ issuer: undefined as never, commonName: 'localhost' });
  for (const [certHost, url, expected] of [
    ['127.0.0.1:4100', 'http://127.0.0.1:4100/cert.pem', 'believed'],
    ['localhost', 'http://localhost:4100/keys/cert.pem', 'believed'],
    ['127.0.0.1:4100', 'http://127.0.0.1:4101/cert.pem', refused],
    ['127.0.0.1:4100', 'http://localhost:4100/cert.pem', refused],
    ['sns.internal', 'http://sns.internal/cert.pem', refused],
    ['http://127.0.0.1:4100', 'http://127.0.0.1:4100/cert.txt', refused],
    [null, `${HOST}/cert.pem`, refused],
  ] as const) {
    const trust = trustIn(
      network(() => body(own.cert)),
      { certHost },
    );
    const given = await verdict(message({ SigningCertURL: url }, { key: own.key }), trust);
    assert.equal(given, expected, `${certHost} ${url}`);
  }
});

test('China and the government regions have addresses of their own', async () => {
  for (const [topic, host] of [
    ['arn:aws-cn:sns:cn-north-1:123456789012:posthorn', 'sns.cn-north-1.amazonaws.com.cn'],
    ['arn:aws-us-gov:sns:us-gov-west-1:123456789012:posthorn', 'sns.us-gov-west-1.amazonaws.com'],
  ] as const) {
    const trust = trustIn(network(), { topicArns: [topic] });
    assert.equal(
      await verdict(message({ TopicArn: topic, SigningCertURL: `https://${host}${PEM}` }), trust),
      'believed',
    );
  }
});

test('in China another authority may have issued the certificate, but not the certificate itself', async () => {
  const topic = 'arn:aws-cn:sns:cn-north-1:123456789012:posthorn';
  const url = `https://sns.cn-north-1.amazonaws.com.cn${PEM}`;
  for (const [made, expected] of [
    [certify({ issuer: 'Another Authority' }), 'believed'],
    [certify({ issuer: undefined as never }), refused], // as `certify` reads it: no issuer but itself
  ] as const) {
    const trust = trustIn(
      network(() => body(made.cert)),
      { topicArns: [topic] },
    );
    const fields = message({ TopicArn: topic, SigningCertURL: url }, { key: made.key });
    assert.equal(await verdict(fields, trust), expected);
  }
});
