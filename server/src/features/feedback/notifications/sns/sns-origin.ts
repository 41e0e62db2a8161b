import { forbidden } from '#platform/errors/app-error.ts';
import { TOPIC_ARN } from './sns-message.ts';
import { ownEntry } from '#platform/own-entry.ts';

/** Partitions whose SNS we know the address of. */
const SUFFIXES: Readonly<Record<string, string>> = {
  aws: 'amazonaws.com',
  'aws-us-gov': 'amazonaws.com',
  'aws-cn': 'amazonaws.com.cn',
};

/**
 * Where the SNS of a topic lives: its own region's, or the one an operator named for an emulator (`certHost`: a host,
 * a host with a port, or an origin). Of an emulator on this machine a host says neither whether it speaks TLS nor
 * always the port: those are then what the message says of its certificate.
 */
export function snsOrigin(topicArn: string, certHost: string | null, signingCertUrl: string): string {
  if (certHost !== null) return emulatorOrigin(certHost, signingCertUrl);
  const [, partition = '', region = ''] = TOPIC_ARN.exec(topicArn) ?? [];
  const suffix = ownEntry(SUFFIXES, partition);
  if (suffix === undefined) throw forbidden('Topics of this AWS partition are not supported.', 'TopicArn');
  return `https://sns.${region}.${suffix}`;
}

function emulatorOrigin(certHost: string, signingCertUrl: string): string {
  if (certHost.includes('://')) return new URL(certHost).origin;
  const named = new URL(`https://${certHost}`);
  const given = URL.parse(signingCertUrl);
  const isHere =
    given !== null &&
    isLoopbackHost(named.hostname) &&
    ['http:', 'https:'].includes(given.protocol) &&
    given.hostname === named.hostname &&
    (named.port === '' || given.port === named.port);
  return isHere ? given.origin : named.origin;
}

const isLoopbackHost = (hostname: string): boolean => ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);

/**
 * The URL of a signing certificate, when it is one that the SNS of this topic would give; else 403. The text must be
 * the URL and not only mean it, so that no other parser could read another host into it. Emulators name theirs as
 * they like.
 */
export function checkCertUrl(given: string, origin: string, isEmulator: boolean): string {
  const url = URL.parse(given);
  const isGood =
    url !== null &&
    url.href === given &&
    url.origin === origin &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === '' &&
    (isEmulator ? /\.pem$/ : /^\/SimpleNotificationService-[0-9A-Za-z]{1,128}\.pem$/).test(url.pathname);
  if (!isGood) throw forbidden(`SigningCertURL must be a certificate of ${origin}.`, 'SigningCertURL');
  return given;
}

/** The request that confirms a subscription, made by us: the one in the message could lead anywhere. */
export function confirmationUrl(origin: string, topicArn: string, token: string): string {
  const query = new URLSearchParams({ Action: 'ConfirmSubscription', TopicArn: topicArn, Token: token });
  return `${origin}/?${query.toString()}`;
}
