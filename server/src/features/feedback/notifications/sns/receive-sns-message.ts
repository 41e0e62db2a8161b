import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import { forbidden, unavailable } from '#platform/errors/app-error.ts';
import type { Log } from '#platform/log.ts';
import type { SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import { storeNotification } from '../store-notification.ts';
import { markTopicHeard, upsertTopic } from './queries.ts';
import { confirmationUrl, snsOrigin } from './sns-origin.ts';
import { readSnsMessage, type SnsMessage } from './sns-message.ts';
import { type Trust, verifySnsMessage } from './verify-sns-message.ts';

export interface SnsPorts extends Trust {
  db: Db;
  clock: Clock;
  log: Log;
  safeFetch: SafeFetch;
}

const DAY_MS = 86_400_000;
/**
 * The numbers of messages are remembered a day longer than that, so an old one that is played again is known or
 * refused.
 */
export const MESSAGE_AGE_MAX_DAYS = 30;
const CONFIRM_TIMEOUT_MS = 5_000;
/** "Last heard" is for people: not a write for every message. */
const HEARD_EVERY_MS = 60_000;

/**
 * Takes in a message of Amazon SNS: a notification is stored, to be read later; a subscription is confirmed. Throws 400
 * for what is no message of SNS, 403 for what is not believed, and 503 when SNS had better come again (it repeats 5xx
 * and no 4xx).
 */
export function createSnsReceiver(ports: SnsPorts): (body: Buffer) => Promise<void> {
  const heardAt = new Map<string, number>();
  return async (body) => {
    const message = readSnsMessage(body);
    await verifySnsMessage(message, ports);
    if (message.type === 'SubscriptionConfirmation') return confirmSubscription(ports, message);
    if (message.type === 'UnsubscribeConfirmation') return noteUnsubscribed(ports, message);
    if (ports.clock.now().getTime() - message.timestamp.getTime() > MESSAGE_AGE_MAX_DAYS * DAY_MS) {
      throw forbidden(`The message is older than ${MESSAGE_AGE_MAX_DAYS} days.`, 'Timestamp');
    }
    const { messageId: id, topicArn: topic } = message;
    await storeNotification(ports.db, { source: 'ses', id, topic, body, envelopeTo: null });
    const now = ports.clock.monotonicMs();
    if (now - (heardAt.get(topic) ?? -Infinity) < HEARD_EVERY_MS) return;
    heardAt.set(topic, now);
    // The notification is stored, and that is what the answer says: this note may fail.
    await markTopicHeard(ports.db, topic).catch(() => undefined);
  };
}

async function confirmSubscription(ports: SnsPorts, message: SnsMessage): Promise<void> {
  const { topicArn, token, signingCertUrl } = message;
  const url = confirmationUrl(snsOrigin(topicArn, ports.certHost, signingCertUrl), topicArn, token);
  const options = { method: 'GET', timeoutMs: CONFIRM_TIMEOUT_MS, bodyBytesMax: 65_536 } as const;
  const answer = await ports.safeFetch.request(url, options);
  const isConfirmed = answer.kind === 'answered' && answer.status === 200;
  if (isConfirmed) {
    await upsertTopic(ports.db, topicArn, { state: 'confirmed', note: null });
    ports.log.info({ topic: topicArn }, 'the subscription of an SNS topic is confirmed; its events arrive from now on');
    return;
  }
  const note = answer.kind === 'answered' ? `SNS answered ${answer.status}` : answer.reason;
  await upsertTopic(ports.db, topicArn, { state: 'failed', note });
  ports.log.error({ topic: topicArn, note }, 'the subscription of an SNS topic could not be confirmed');
  throw unavailable(`The subscription could not be confirmed: ${note}.`);
}

/** Nobody may find out weeks later why no bounces come any more. */
async function noteUnsubscribed({ db, log }: SnsPorts, { topicArn }: SnsMessage): Promise<void> {
  await upsertTopic(db, topicArn, { state: 'unsubscribed', note: 'Amazon SNS says that it was cancelled.' });
  log.error(
    { topic: topicArn },
    'our subscription of an SNS topic was cancelled: no events arrive from it; subscribe again',
  );
}
