import type { Db } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { insertProviderEvents } from '../queries/insert-provider-events.ts';
import { BURST_MS, burstsOf, type Click } from './bursts.ts';
import { clickKeyAt } from './click-key.ts';
import { clicksAround, holdEmail } from './queries.ts';
import { CLICK_HOLD_MS } from './record-engagement.ts';

/** Somebody, or something, followed the link to leave of an email. */
export interface LeaveVisit {
  workspaceId: string;
  emailId: string;
  ipAddress: string;
  at: Date;
}

/**
 * Notes the visit, to be judged with the clicks around it: a burst that it stands in is announced (`burstsJudged`) some
 * seconds later. True: with the clicks that are known already it stands in one now.
 *
 * The email is held until the transaction ends, so a burst is either seen here or announced after it. The rows of
 * subscribers are locked after it, never before: a round that judges does the same.
 */
export async function noteLeaveVisit(tx: Db, visit: LeaveVisit): Promise<boolean> {
  await holdEmail(tx, visit);
  const before = (await clicksAround(tx, [visit], BURST_MS)).filter(({ atMs }) => atMs <= visit.at.getTime());
  const own: Click = { id: newId(), link: '', ipAddress: visit.ipAddress, atMs: visit.at.getTime(), isLeaving: true };
  const burst = burstsOf([...before, own]).find(({ clicks }) => clicks.includes(own));
  // Once in a burst is enough: whoever follows the link in a loop must not fill the table.
  const isNoted = burst?.clicks.some((click) => click !== own && click.isLeaving === true) ?? false;
  if (!isNoted) await insertProviderEvents(tx, [eventOf(visit)]);
  return burst !== undefined;
}

const eventOf = ({ workspaceId, emailId, ipAddress, at }: LeaveVisit) => ({
  workspaceId,
  emailId,
  type: 'leave' as const,
  recipient: '', // the email's own
  at,
  payload: { leave: { ipAddress } },
  semanticKey: `${clickKeyAt(at)} leave ${newId()}`,
  providerMessageId: null,
  notBefore: new Date(at.getTime() + CLICK_HOLD_MS),
});
