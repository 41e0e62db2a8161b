import type { Db } from '#platform/db/database.ts';
import type { ProviderEvent } from '../queries/lock-waiting-events.ts';
import { BURST_MS, type Click, clicksInBursts } from './bursts.ts';
import type { BotReason, EngagementType } from './engagement.ts';
import { clicksAround, type EngagedEmail, engagedEmails } from './queries.ts';

/** Mail on its way is looked at within seconds of the hand-off; its reader has not even been told that it is there. */
const TOO_SOON_MS = 3_000;

/**
 * Completes the opens and clicks of a round: whether a machine made them and why (a burst of clicks is only seen here,
 * where its clicks come together), which is the first of its email, and of whom it is. Other events stay as they are.
 *
 * Clicks around a new one are looked at whether or not they are due or were judged before, so within the hold of clicks
 * their order does not matter. A click that was told about stays as it was told. `first` is the first in time of those
 * that are applied together, if none was stored before.
 */
export async function judgeEngagement(tx: Db, events: readonly ProviderEvent[]): Promise<ProviderEvent[]> {
  const engaged = events.filter(isEngagement);
  if (engaged.length === 0) return [...events];
  const emails = new Map((await engagedEmails(tx, engaged)).map((email) => [keyOf(email), email]));
  const inBurst = await burstsAmong(tx, engaged);
  const judged = new Map<string, ProviderEvent>();
  for (const event of engaged.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const email = emails.get(keyOf(event));
    if (email === undefined) continue;
    const reason = statedReason(event) ?? (inBurst.has(event.id) ? 'burst' : null) ?? soonReason(event, email);
    const first = reason === null && !email.engaged.has(event.type);
    if (first) email.engaged.add(event.type);
    judged.set(event.id, completed(event, email, { is_bot: reason !== null, bot_reason: reason, first }));
  }
  return events.map((event) => judged.get(event.id) ?? event);
}

type Engagement = ProviderEvent & { type: EngagementType };

const isEngagement = (event: ProviderEvent): event is Engagement => event.type === 'open' || event.type === 'click';

const keyOf = (of: { workspaceId: string; emailId: string }): string => `${of.workspaceId} ${of.emailId}`;

function detailsOf({ type, payload }: Engagement): Record<string, unknown> {
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

/** What the request said of itself when it was recorded. */
function statedReason(event: Engagement): BotReason | null {
  const { is_bot: isBot, bot_reason: reason } = detailsOf(event);
  // Written by judgeRequest; opens and clicks that a provider reports have none.
  return isBot === true && typeof reason === 'string' ? (reason as BotReason) : null;
}

/** What was kept on this machine was delivered to nobody, so no scanner can have seen it. */
function soonReason({ at }: Engagement, email: EngagedEmail): BotReason | null {
  if (email.wasKept || email.handoffAt === null) return null;
  const isSoon = at >= email.handoffAt && at.getTime() - (email.sentAt ?? email.handoffAt).getTime() < TOO_SOON_MS;
  return isSoon ? 'too_soon' : null;
}

async function burstsAmong(tx: Db, engaged: readonly Engagement[]): Promise<Set<string>> {
  const clicks = engaged.filter(({ type }) => type === 'click');
  if (clicks.length === 0) return new Set();
  const around = await clicksAround(tx, clicks, BURST_MS);
  // Those of this round are there too, unless a provider reported them under a name of its own.
  const known = new Set(around.map(({ id }) => id));
  const own = clicks.filter(({ id }) => !known.has(id)).map((click) => ({ ...clickOf(click), ...ofEmail(click) }));
  const bursts = [...Map.groupBy([...around, ...own], keyOf).values()].map(clicksInBursts);
  return new Set(bursts.flatMap((ids) => [...ids]));
}

const ofEmail = ({ workspaceId, emailId }: Engagement) => ({ workspaceId, emailId });

function clickOf(event: Engagement): Click {
  const { link, ipAddress } = detailsOf(event);
  return { id: event.id, link: String(link ?? ''), ipAddress: String(ipAddress ?? ''), atMs: event.at.getTime() };
}
