import { type Db, inTransaction } from '#platform/db/database.ts';
import { isDatabaseUnavailable } from '#platform/db/database-errors.ts';
import { reach } from '#platform/fault-points.ts';
import type { Log } from '#platform/log.ts';
import type { RememberedStart } from '#platform/work/remembered-start.ts';
import { mailReceived } from '../announcements.ts';
import { ENGAGEMENT_MAX } from '../engagement-max.ts';
import { findToldEmails } from '../queries/find-told-emails.ts';
import { insertProviderEvents, type NewProviderEvent } from '../queries/insert-provider-events.ts';
import { fitEvents, type Told } from './fit-events.ts';
import type { ReadNotification, ReadOne, StoredNotification, ToldEvent } from './notification.ts';
import { lockDueNotifications, lockNotification, markProcessed, type Processed } from './queries.ts';
import type { WaitingNotification } from './queries.ts';

export interface NotificationWork {
  db: Db;
  /** Where looks for events begin: the events of a notification can be hours old. */
  eventsFrom?: RememberedStart;
  log: Log;
  readers: Readonly<Record<StoredNotification['source'], ReadOne>>;
  /** Hears what became of each, for the metrics. */
  onOutcome?(source: string, outcome: string): void;
}

/** Bodies are held in memory: with the largest that are taken this is 64 MB, with usual ones under 1 MB. */
const PAGE = 250;
/** An event may beat our own record of the hand-off by seconds; an hour later only a restored database helps. */
const WAITS_SECONDS = [1, 5, 30, 300, 3_600];
const GIVE_UP_AFTER_HOURS = 24;

/**
 * Reads a page of waiting notifications, finds their emails and stores their events to be applied, all in one
 * transaction. One that fits no email is tried again for a day. Returns how many were looked at; a full page means
 * there may be more. Notifications that were due before `from` are left; null: none.
 */
export async function processNotifications(
  work: NotificationWork,
  from: Date | null = null,
): Promise<{ seen: number; full: boolean; lastAt: Date | null }> {
  let page: WaitingNotification[] = [];
  try {
    const processed = await inTransaction(work.db, async (tx) => {
      page = await lockDueNotifications(tx, PAGE, GIVE_UP_AFTER_HOURS, from);
      return processPage(tx, work, page);
    });
    report(work, processed);
  } catch (error) {
    if (page.length === 0 || isDatabaseUnavailable(error)) throw error;
    await processSingly(work, page);
  }
  return { seen: page.length, full: page.length === PAGE, lastAt: page.at(-1)?.nextTryAt ?? null };
}

async function processPage(tx: Db, work: NotificationWork, page: readonly WaitingNotification[]): Promise<Processed[]> {
  if (page.length === 0) return [];
  const readings: Reading[] = [];
  for (const notification of page) readings.push({ notification, read: await readSafely(work, notification) });
  const asked = readings.flatMap(({ read }) => (read.kind === 'events' ? read.events : []));
  const emailsOf = Map.groupBy(await findToldEmails(tx, asked), (email) => email.place);

  const events: NewProviderEvent[] = [];
  const processed: Processed[] = [];
  let place = 0;
  const receipts = readings.flatMap(({ read }) => (read.kind === 'receipt' ? read.receipt : []));
  if (receipts.length > 0) await mailReceived.announce(tx, receipts);
  for (const { notification, read } of readings) {
    if (read.kind === 'receipt') {
      // The feature that heard of it keeps the message.
      processed.push({ ...keyOf(notification), ...over('applied', 'received mail'), isEmptied: true });
      continue;
    }
    const ofThis = read.kind === 'events' ? read.events : [];
    const told = ofThis.map((event) => ({ event, emails: emailsOf.get(place++) ?? [] }));
    if (told.length > 0 && told.every(isBeyondBound)) {
      processed.push({ ...keyOf(notification), ...over('ignored', 'it has as many as are recorded'), isEmptied: true });
      continue;
    }
    const fitted = fitEvents(told);
    events.push(...(fitted ?? []));
    processed.push({ ...keyOf(notification), ...outcomeOf(notification, read, fitted) });
  }
  await insertProviderEvents(tx, events);
  for (const { at } of events) work.eventsFrom?.lowerTo(at);
  await reach('feedback.notification.processed');
  await markProcessed(tx, processed);
  return processed;
}

interface Reading {
  notification: WaitingNotification;
  read: ReadNotification;
}

/** A reader that fails has met something that nobody thought of, which is what malformed means. */
async function readSafely(work: NotificationWork, notification: WaitingNotification): Promise<ReadNotification> {
  try {
    const read = await work.readers[notification.source](notification);
    return read.kind === 'events' && read.events.length === 0 ? { kind: 'ignored', note: 'nothing in it' } : read;
  } catch (error) {
    work.log.error({ err: error, notification: notification.id }, 'a notification could not be read');
    return { kind: 'malformed', note: 'it could not be read' };
  }
}

/** One of a flood of opens or clicks: neither its events nor its body are kept. */
function isBeyondBound({ event, emails: [email] }: Told): boolean {
  const stored = event.type === 'open' ? email?.opens : event.type === 'click' ? email?.clicks : undefined;
  return stored !== undefined && stored >= ENGAGEMENT_MAX;
}

type Outcome = Omit<Processed, 'source' | 'id'>;

function outcomeOf(
  notification: WaitingNotification,
  read: Exclude<ReadNotification, { kind: 'receipt' }>,
  fitted: readonly NewProviderEvent[] | undefined,
): Outcome {
  if (read.kind !== 'events') return over(read.kind, read.note);
  if (fitted === undefined) return parkedOutcome(notification, whyUnmatched(read.events));
  return fitted.length === 0 ? over('unmatched', 'it names no recipient of the email') : over('applied', null);
}

const over = (outcome: Processed['outcome'], note: string | null): Outcome => ({
  outcome,
  note,
  waitSeconds: 0,
  isEmptied: false,
});

function parkedOutcome({ isLastTry, tries }: WaitingNotification, note: string): Outcome {
  if (isLastTry) return over('unmatched', note);
  return {
    outcome: null,
    note,
    waitSeconds: WAITS_SECONDS[Math.min(tries, WAITS_SECONDS.length - 1)] ?? 0,
    isEmptied: false,
  };
}

const whyUnmatched = (events: readonly ToldEvent[]): string =>
  events.every((event) => event.emailId === null)
    ? 'it has no tags of ours, and no email has its message id'
    : 'no such email, or another message of it';

const keyOf = ({ source, id }: WaitingNotification): { source: string; id: string } => ({ source, id });

/** One of a page made the database refuse: each by itself, so that only that one waits. */
async function processSingly(work: NotificationWork, page: readonly WaitingNotification[]): Promise<void> {
  const processed: Processed[] = [];
  for (const notification of page) {
    try {
      const done = await inTransaction(work.db, async (tx) => {
        const locked = await lockNotification(tx, notification, GIVE_UP_AFTER_HOURS);
        return locked === undefined ? [] : processPage(tx, work, [locked]);
      });
      processed.push(...done);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      work.log.error({ err: error, notification: notification.id }, 'a notification could not be processed');
      const postponed = { ...keyOf(notification), ...parkedOutcome(notification, 'it could not be processed') };
      const settled: Processed = postponed.outcome === null ? postponed : { ...postponed, outcome: 'malformed' };
      await markProcessed(work.db, [settled]);
      processed.push(settled);
    }
  }
  report(work, processed);
}

/** The log lines for an operator, one for each kind of a page; ids are the sender's numbers and nobody's data. */
function report({ log, onOutcome }: NotificationWork, processed: readonly Processed[]): void {
  for (const { source, outcome } of processed) if (outcome !== null) onOutcome?.(source, outcome);
  for (const outcome of ['unmatched', 'malformed'] as const) {
    const some = processed.filter((one) => one.outcome === outcome);
    if (some.length === 0) continue;
    const first = some.slice(0, 5).map((one) => one.id);
    log.warn(
      { count: some.length, first, note: some[0]?.note },
      outcome === 'unmatched'
        ? 'notifications that fit no email sent by us were given up'
        : 'notifications are not what they should be; they are kept for a week',
    );
  }
}
