import { type Clock, endsWithin } from '#platform/clock.ts';
import { isDatabaseUnavailable, isTransientConflict } from '#platform/db/database-errors.ts';
import type { Db } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { Moment } from '#platform/moments.ts';
import { BatchWriter } from '#platform/work/batch-writer.ts';
import { insertProviderEvents, type NewProviderEvent } from '../queries/insert-provider-events.ts';
import { feedbackWork } from '../work-signal.ts';
import { BURST_MS } from './bursts.ts';
import { clickKeyAt } from './click-key.ts';
import { type ClickDetails, type OpenDetails, USER_AGENT_CHARS_MAX } from './engagement.ts';
import { type EngagementRequest, judgeRequest } from './judge-request.ts';

/** Somebody, or something, asked for a pixel or followed a link of ours. */
export interface Engagement extends EngagementRequest {
  workspaceId: string;
  emailId: string;
  ipAddress: string;
  /** Where the link leads; '' for an open. */
  link: string;
}

export interface EngagementRecorder extends Service {
  /** Notes it, and returns at once: whoever waits for a redirect does not wait for the database. */
  record(engagement: Engagement): void;
  /** Occurs after a page was stored, with how many. */
  readonly stored: Moment<number>;
}

/** The most that waits in memory, some 10 MB; beyond it new ones are lost, and the log says how many. */
const WAITING_MAX = 10_000;
const PAGE = 500;
/** Opens, or clicks, of one email that one page takes: an attacker with one link must not fill the tables. */
const OF_ONE_EMAIL_MAX = 100;
const DELAY_MS = 100;
const RETRY_MAX_MS = 1_000;
/** A process that ends waits no longer for the database to take what is there. */
const STOP_MS = 3_000;
/** Clicks wait for the burst they may belong to, and a second for its last one to be stored. */
export const CLICK_HOLD_MS = BURST_MS + 1_000;

/**
 * Gathers opens and clicks and stores them in pages. Lost when the process dies within the tenth of a second before.
 */
export function createEngagementRecorder(options: { db: Db; clock: Clock; log: Log }): EngagementRecorder {
  const { db, clock, log } = options;
  const stored = new Moment<number>();
  let crowd = new Map<string, number>();
  let lost = 0;

  const writer = new BatchWriter<NewProviderEvent>({
    clock,
    log,
    delayMs: DELAY_MS,
    batchMax: PAGE,
    retryMaxMs: RETRY_MAX_MS,
    failure: 'opens and clicks cannot be stored; they wait in memory',
    // A page that may have been stored is stored again: its keys make it once.
    write: (page) => insertProviderEvents(db, page),
    after(page) {
      stored.occur(page.length);
      feedbackWork.tell({ earliestAt: new Date(Math.min(...page.map(({ at }) => at.getTime()))) });
      if (writer.waiting > 0) return;
      crowd = new Map();
      if (lost > 0) log.warn({ lost }, 'opens and clicks came faster than they could be stored');
      lost = 0;
    },
    // An event that the database refuses must not hold up the events after it.
    judge: (error) => (isDatabaseUnavailable(error) || isTransientConflict(error) ? 'again' : 'apart'),
    lost: (_events, error) => log.error({ err: error }, 'an open or click cannot be stored'),
  });

  return {
    name: 'engagement recorder',
    stored,
    async start() {
      void writer.flush(); // kept from before a stop
    },
    async stop() {
      await endsWithin(clock, STOP_MS, writer.flush());
      writer.rest();
      if (writer.waiting > 0)
        log.warn({ lost: writer.waiting }, 'opens and clicks were lost: the database was not there');
    },
    record(engagement) {
      const key = `${engagement.type} ${engagement.emailId}`;
      const ofOne = crowd.get(key) ?? 0;
      if (writer.waiting >= WAITING_MAX || ofOne >= OF_ONE_EMAIL_MAX) {
        lost += 1;
        return;
      }
      crowd.set(key, ofOne + 1);
      writer.add(eventOf(engagement, clock.now()));
    },
  };
}

function eventOf(engagement: Engagement, at: Date): NewProviderEvent {
  const { type, workspaceId, emailId } = engagement;
  const reason = judgeRequest(engagement);
  const open: OpenDetails = {
    timestamp: at.toISOString(),
    ipAddress: engagement.ipAddress,
    userAgent: engagement.userAgent.slice(0, USER_AGENT_CHARS_MAX),
    is_bot: reason !== null,
    bot_reason: reason,
    first: false,
  };
  const click: ClickDetails = { ...open, link: engagement.link, linkTags: {} };
  return {
    workspaceId,
    emailId,
    type,
    recipient: '', // whoever judges it knows the email
    at,
    payload: type === 'open' ? { open } : { click },
    semanticKey: type === 'click' ? `${clickKeyAt(at)} ${newId()}` : `open ${newId()}`,
    providerMessageId: null,
    notBefore: type === 'click' ? new Date(at.getTime() + CLICK_HOLD_MS) : null,
  };
}
