import type { Db } from '#platform/db/database.ts';
import type { ProviderEvent } from '../queries/lock-waiting-events.ts';
import type { LinkBurst } from '../announcements.ts';
import { type Burst, BURST_MS, burstsOf, type Click } from './bursts.ts';
import type { BotReason, EngagementType } from './engagement.ts';
import { clicksAround, type EngagedEmail, engagedEmails } from './queries.ts';

/** Mail on its way is looked at within seconds of the hand-off; its reader has not even been told that it is there. */
const TOO_SOON_MS = 3_000;

export interface Judged {
  /** All that were given but visits to links to leave, in their order. */
  events: ProviderEvent[];
  bursts: LinkBurst[];
}

/**
 * Completes the opens and clicks of a round: whether a machine made them and why (a burst of clicks is only seen here,
 * where its clicks come together), which is the first of its email, and of whom it is. Other events stay as they are;
 * visits to links to leave are read for the bursts alone.
 *
 * Clicks around a new one are looked at whether or not they are due or were judged before, so within the hold of clicks
 * their order does not matter. A click that was told about stays as it was told. `first` is the first in time of those
 * that are applied together, if none was stored before.
 */
export async function judgeEngagement(tx: Db, given: readonly ProviderEvent[]): Promise<Judged> {
  const events = given.filter(({ type }) => type !== 'leave');
  const engaged = events.filter(isEngagement);
  const bursts = await burstsAmong(tx, given.filter(isFollowed));
  if (engaged.length === 0) return { events, bursts: bursts.map(toldBurst) };
  const emails = new Map((await engagedEmails(tx, engaged)).map((email) => [keyOf(email), email]));
  const inBurst = new Set(bursts.flatMap(({ clicks }) => clicks.map(({ id }) => id)));
  const judged = new Map<string, ProviderEvent>();
  for (const event of engaged.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const email = emails.get(keyOf(event));
    if (email === undefined) continue;
    const reason = statedReason(event) ?? (inBurst.has(event.id) ? 'burst' : null) ?? soonReason(event, email);
    const first = reason === null && !email.engaged.has(event.type);
    if (first) email.engaged.add(event.type);
    judged.set(event.id, completed(event, email, { is_bot: reason !== null, bot_reason: reason, first }));
  }
  return { events: events.map((event) => judged.get(event.id) ?? event), bursts: bursts.map(toldBurst) };
}

type Engagement = ProviderEvent & { type: EngagementType };
type Followed = ProviderEvent & { type: 'click' | 'leave' };
type BurstOfEmail = Burst & { workspaceId: string; emailId: string };

const isEngagement = (event: ProviderEvent): event is Engagement => event.type === 'open' || event.type === 'click';

const isFollowed = (event: ProviderEvent): event is Followed => event.type === 'click' || event.type === 'leave';

const keyOf = (of: { workspaceId: string; emailId: string }): string => `${of.workspaceId} ${of.emailId}`;

function detailsOf({ type, payload }: Engagement | Followed): Record<string, unknown> {
  const details = payload[type];
  return typeof details === 'object' && details !== null ? { ...details } : {};
}

function completed(event: Engagement, email: EngagedEmail, verdict: Record<string, unknown>): ProviderEvent {
  return {
    ...event,
    // A pixel knows its email and not who of a group it is shown to: the email's own recipient stands for them.
    recipient: event.recipient === '' ? email.recipient : event.recipient,
    payload: { ...event.payload, [event.type]: { ...detailsOf(event), ...verdict } },
  };
}

/** The request's description of itself, recorded with it. */
function statedReason(event: Engagement): BotReason | null {
  const { is_bot: isBot, bot_reason: reason } = detailsOf(event);
  // Written by judgeRequest; opens and clicks that a provider reports have none.
  return isBot === true && typeof reason === 'string' ? (reason as BotReason) : null;
}

/** Captured mail was delivered to nobody, so no scanner can have seen it. */
function soonReason({ at }: Engagement, email: EngagedEmail): BotReason | null {
  if (email.wasKept || email.handoffAt === null) return null;
  const isSoon = at >= email.handoffAt && at.getTime() - (email.sentAt ?? email.handoffAt).getTime() < TOO_SOON_MS;
  return isSoon ? 'too_soon' : null;
}

async function burstsAmong(tx: Db, followed: readonly Followed[]): Promise<BurstOfEmail[]> {
  if (followed.length === 0) return [];
  const around = await clicksAround(tx, followed, BURST_MS);
  // The events of this round are there too, unless a provider reported them under a name of its own.
  const known = new Set(around.map(({ id }) => id));
  const own = followed.filter(({ id }) => !known.has(id)).map((one) => ({ ...clickOf(one), ...ofEmail(one) }));
  return [...Map.groupBy([...around, ...own], keyOf).values()].flatMap((clicks) =>
    clicks.slice(0, 1).flatMap((email) => burstsOf(clicks).map((burst) => ({ ...burst, ...ofEmail(email) }))),
  );
}

const ofEmail = ({ workspaceId, emailId }: { workspaceId: string; emailId: string }) => ({ workspaceId, emailId });

function clickOf(event: Followed): Click {
  const { link, ipAddress } = detailsOf(event);
  return {
    id: event.id,
    link: String(link ?? ''),
    ipAddress: String(ipAddress ?? ''),
    atMs: event.at.getTime(),
    isLeaving: event.type === 'leave',
  };
}

function toldBurst({ workspaceId, emailId, client, clicks }: BurstOfEmail): LinkBurst {
  const times = clicks.map(({ atMs }) => atMs);
  const [leaving, others] = [clicks.filter((one) => one.isLeaving), clicks.filter((one) => !one.isLeaving)];
  return {
    workspaceId,
    emailId,
    client,
    from: new Date(Math.min(...times)),
    to: new Date(Math.max(...times)),
    links: [...new Set(others.map(({ link }) => link))],
    leaveVisits: leaving.map(({ atMs }) => new Date(atMs)),
  };
}
