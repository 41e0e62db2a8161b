import { emailRecords } from '#features/outbox';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { reach } from '#platform/fault-points.ts';
import {
  burstsJudged,
  emailsEngaged,
  emailsReported,
  type HumanEngagement,
  type ReportedEmail,
} from './announcements.ts';
import { ENGAGEMENT_MAX } from './engagement-max.ts';
import { judgeEngagement } from './engagement/judge-engagement.ts';
import { lockWaitingEvents, markApplied, type ProviderEvent } from './queries/lock-waiting-events.ts';
import { noteBulkHealth } from './suppressing/bulk-health.ts';
import { noteRefusals } from './suppressing/policy-refusals.ts';
import { suppressBounced } from './suppressing/suppress-bounced.ts';

type TouchedEmail = Parameters<typeof emailRecords.settle>[1][number];

/** Events a round applies at most; 500 take 70 ms (2 cores, November 2026), and hold their locks as long. */
const BATCH = 500;

/** Provider events that become events of the email. Its own `send` was recorded when the email was accepted. */
const RECORDED = new Set(['delivery', 'bounce', 'complaint', 'reject', 'delivery_delay', 'open', 'click']);

export interface Applied {
  applied: number;
  full: boolean;
  /** Of the last event in the order of their times. */
  lastAt: Date | null;
  unhealthy: number;
  refused: number;
  alarms: number;
}

/**
 * Applies what providers have told us: events stored once, the email's state, counters and suppressions, all in one
 * transaction. Any order and any number of repetitions of the same events ends in the same state. Returns how many
 * were applied; a full batch means there may be more. `unhealthy` bulk sends are noted, to be paused now that it is
 * committed, and `alarms` of refusals, of which the owners are to be told. Events before `from` are left; null: none.
 */
export const applyProviderEvents = (db: Db, from: Date | null = null): Promise<Applied> =>
  inTransaction(db, async (tx) => {
    const events = await lockWaitingEvents(tx, BATCH, from);
    const lastAt = events.at(-1)?.at ?? null;
    if (events.length === 0) return { applied: 0, full: false, lastAt, unhealthy: 0, refused: 0, alarms: 0 };
    // Known already: an event that was applied before and came back changes nothing again.
    const news = boundedEngagement(events.filter((event) => RECORDED.has(event.type) && !event.isKnown));
    const leaveVisits = events.filter((event) => event.type === 'leave');
    const { events: complete, bursts } = await judgeEngagement(tx, [...news, ...leaveVisits]);
    const judged = await suppressBounced(tx, complete);
    const stored = new Set((await emailRecords.insertTold(tx, judged)).map((event) => event.id));
    const counted = judged.filter((event) => stored.has(event.id));
    await emailRecords.countLinkClicks(
      tx,
      counted.filter(({ type }) => type === 'click'),
    );
    await reach('feedback.apply.inside');
    await emailRecords.settle(tx, touchedBy(events, counted));
    const engaged = engagedBy(counted);
    if (engaged.length > 0) await emailsEngaged.announce(tx, engaged);
    const reported = reportedBy(counted);
    if (reported.length > 0) await emailsReported.announce(tx, reported);
    if (bursts.length > 0) await burstsJudged.announce(tx, bursts);
    const unhealthy = await noteBulkHealth(tx, counted);
    const refusals = await noteRefusals(tx, counted);
    await markApplied(tx, events);
    return { applied: events.length, full: events.length === BATCH, lastAt, unhealthy, ...refusals };
  });

/** The rest of a burst that was stored before its first thousand was counted. */
function boundedEngagement(events: readonly ProviderEvent[]): ProviderEvent[] {
  const seen = new Map<string, number>();
  return events.filter((event) => {
    if (event.type !== 'open' && event.type !== 'click') return true;
    const key = `${keyOf(event)} ${event.type}`;
    const count = seen.get(key) ?? event.storedBefore;
    seen.set(key, count + 1);
    return count < ENGAGEMENT_MAX;
  });
}

function touchedBy(events: readonly ProviderEvent[], counted: readonly ProviderEvent[]): TouchedEmail[] {
  const touched = new Map<string, TouchedEmail>();
  for (const event of events) {
    const email = touched.get(keyOf(event)) ?? {
      workspaceId: event.workspaceId,
      emailId: event.emailId,
      firstAt: event.at,
      providerMessageId: null,
      isRejected: false,
      newOpens: 0,
      newClicks: 0,
      newMachineOpens: 0,
      newMachineClicks: 0,
    };
    if (event.at < email.firstAt) email.firstAt = event.at;
    email.providerMessageId ??= event.providerMessageId;
    email.isRejected ||= event.type === 'reject';
    touched.set(keyOf(event), email);
  }
  for (const event of counted) {
    const email = touched.get(keyOf(event));
    if (email === undefined) continue;
    const isMachine = isOfMachine(event);
    if (event.type === 'open') email[isMachine ? 'newMachineOpens' : 'newOpens'] += 1;
    if (event.type === 'click') email[isMachine ? 'newMachineClicks' : 'newClicks'] += 1;
  }
  return [...touched.values()];
}

function engagedBy(counted: readonly ProviderEvent[]): HumanEngagement[] {
  const engaged = new Map<string, HumanEngagement>();
  for (const event of counted) {
    const { type, at, workspaceId, emailId } = event;
    if ((type !== 'open' && type !== 'click') || isOfMachine(event)) continue;
    const email = engaged.get(keyOf(event)) ?? { workspaceId, emailId, openedAt: null, clickedAt: null };
    const field = type === 'open' ? 'openedAt' : 'clickedAt';
    if (email[field] === null || email[field] < at) email[field] = at;
    engaged.set(keyOf(event), email);
  }
  return [...engaged.values()];
}

const isReported = (type: string): type is ReportedEmail['type'] =>
  ['delivery', 'open', 'click', 'bounce', 'complaint'].includes(type);

const reportedBy = (counted: readonly ProviderEvent[]): ReportedEmail[] =>
  counted.flatMap((event) => {
    const { type, workspaceId, emailId, recipient, payload } = event;
    if (!isReported(type) || isOfMachine(event)) return [];
    const { link, bounceType, bounceSubType } = Object(payload[type]);
    const details = { click: { link }, bounce: { bounce_type: bounceType, bounce_sub_type: bounceSubType } };
    return [
      { workspaceId, emailId, type, recipient, details: type in details ? Object(Reflect.get(details, type)) : {} },
    ];
  });

const keyOf = (event: ProviderEvent): string => `${event.workspaceId} ${event.emailId}`;

function isOfMachine({ type, payload }: ProviderEvent): boolean {
  const engagement = payload[type];
  return typeof engagement === 'object' && engagement !== null && 'is_bot' in engagement && engagement.is_bot === true;
}
