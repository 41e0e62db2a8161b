import type { Db } from '#platform/db/database.ts';
import type { Settings } from '#platform/config/settings.ts';
import { EVENTS, SUBSCRIPTION, TOPIC } from './about-ses.ts';
import { type Finding, ok, skipped, trouble } from '../finding.ts';
import { findSilentMail, findTopics, type TopicRow } from '../queries.ts';

const silentMsMin = 600_000;
const lookBackMs = 86_400_000;

interface Deps {
  db: Db;
  settings: Settings;
  now: Date;
}

/** From the topic to us. `topics` are those that the configuration set publishes to, as far as SES could be asked. */
export async function checkEvents(
  { db, settings, now }: Deps,
  topics: readonly string[],
  checkCallback: () => Promise<Finding>,
): Promise<Finding[]> {
  const endpoint = `${settings.publicUrl}/events/ses`;
  const believed = settings.sesTopicArns;
  const known = await findTopics(db, [...new Set([...topics, ...believed])]);
  // The report of SES, or, if it could not be asked, the settings.
  const expected = topics.length > 0 ? topics : believed;
  return [
    judgeTopics(topics, believed),
    ...judgeSubscriptions(expected, known, endpoint),
    await checkCallback(),
    await judgeEvents(db, known, now, endpoint),
  ];
}

function judgeTopics(topics: readonly string[], believed: readonly string[]): Finding {
  if (topics.length === 0) return skipped(TOPIC, 'Not looked at: no topic is known to be told of events.');
  const strangers = topics.filter((topic) => !believed.includes(topic));
  if (strangers.length === 0) return ok(TOPIC, `Believed: ${topics.join(', ')}.`);
  const message = `Not in POSTHORN_SES_TOPIC_ARNS: ${strangers.join(', ')}.`;
  return trouble(TOPIC, 'not believed', message, { topic: [...believed, ...strangers].join(',') });
}

function judgeSubscriptions(expected: readonly string[], known: readonly TopicRow[], endpoint: string): Finding[] {
  if (expected.length === 0) return [skipped(SUBSCRIPTION, 'Not looked at: no topic is known.')];
  const findings = expected.flatMap((arn) => {
    const row = known.find((topic) => topic.arn === arn);
    if (row === undefined) return [trouble(SUBSCRIPTION, 'missing', `${arn} was never heard of.`, { endpoint })];
    if (row.state === 'confirmed') return [];
    const reason = row.note ?? 'no reason is known';
    return [trouble(SUBSCRIPTION, row.state, `${arn}: ${row.state}.`, { endpoint, reason })];
  });
  return findings.length > 0 ? findings : [ok(SUBSCRIPTION, `Confirmed: ${expected.join(', ')}.`)];
}

async function judgeEvents(db: Db, known: readonly TopicRow[], now: Date, endpoint: string): Promise<Finding> {
  const since = new Date(now.getTime() - lookBackMs);
  const silent = await findSilentMail(db, since, new Date(now.getTime() - silentMsMin));
  const times = known.flatMap(({ lastMessageAt }) => (lastMessageAt === null ? [] : [lastMessageAt.getTime()]));
  const lastAt = times.length === 0 ? null : new Date(Math.max(...times));
  const heard = lastAt === null ? 'No event was ever received.' : `The last event came at ${lastAt.toISOString()}.`;
  const { count, newestAt } = silent;
  if (newestAt === null) {
    return ok(EVENTS, `${heard} No email of the last 24 hours has waited for one for more than ten minutes.`);
  }
  const message = `${heard} ${count} email${count === 1 ? '' : 's'} of the last 24 hours, handed over more than ten minutes ago, have none; the newest left at ${newestAt.toISOString()}.`;
  if (lastAt === null) return trouble(EVENTS, 'never', message);
  if (lastAt < newestAt) return trouble(EVENTS, 'stopped', message, { endpoint });
  return ok(EVENTS, `${message} Receivers that put mail off can be the reason.`);
}
