import type { Db } from '#platform/db/database.ts';
import type { ShownPauseCode } from '../../pause/pause.ts';
import type { SendKey } from '../bulk-send.ts';
import { lastBegunAt, nextPart } from '../parts.ts';
import { type Circumstances, selectCircumstances } from './progress-queries.ts';

/** How a bulk send stands, and why it does not move when it does not. */
export interface BulkProgress {
  state: 'freezing' | 'releasing' | 'sending' | 'waiting' | 'paused' | 'cancelling' | 'cancelled' | 'done';
  /** A sentence for people; null: it moves, or there is nothing left to move. */
  reason: string | null;
  /** The cause of a pause, for programs. null: it is not paused, or a person has paused it. */
  code: ShownPauseCode | null;
  /** Since when the reason holds, as far as is known. */
  since: Date | null;
  /** When a paused send is expected to go on by itself, or the next part of a send begins; null: nobody knows. */
  resumesAt: Date | null;
}

const PAUSED_BY_OPERATOR =
  'Sending is paused for this workspace. The send goes on by itself when the operator activates the workspace.';
const AHEAD_MAX = 10_000;
/** A page is frozen or released within a second; twice that and a margin for a busy database. */
const STALLED_MS = 5_000;
/** Mail of higher lanes delays bulk by less than this many emails a matter of course. */
const AHEAD_WORTH_SAYING = 50;

const moving = (state: BulkProgress['state']): BulkProgress => ({ ...stuck(state, '', null), reason: null });
const stuck = (state: BulkProgress['state'], reason: string, since: Date | null): BulkProgress => ({
  state,
  reason,
  code: null,
  since,
  resumesAt: null,
});

/** null: there is no such bulk send. */
export async function progressOfSend(db: Db, key: SendKey): Promise<BulkProgress | null> {
  const found = await selectCircumstances(db, key, AHEAD_MAX);
  return found === undefined ? null : judgeProgress(found);
}

/** The first cause that is true, the one that a person can do most about first. */
function judgeProgress(of: Circumstances): BulkProgress {
  if (of.state === 'cancelled') return moving('cancelled');
  const isOver = of.state === 'released' && of.waiting + of.queued + of.sending === 0;
  if (isOver) return moving('done');
  if (of.sendPausedAt !== null && of.state !== 'cancelling') {
    const { sendPauseCode: code, resumesAt } = of;
    return { ...stuck('paused', of.sendPauseReason ?? 'It was paused.', of.sendPausedAt), code, resumesAt };
  }
  if (of.gate === 'paused' && of.state !== 'cancelling') {
    return { ...stuck('paused', PAUSED_BY_OPERATOR, of.gateChangedAt), code: 'workspace_paused' };
  }
  const doing = of.state === 'released' ? 'sending' : of.state;
  if (!of.workerIsAlive) return stuck('waiting', withoutWorker(of), of.workerSeenAt ?? of.progressAt);
  if (of.state === 'cancelling') return moving('cancelling');
  if (of.pacePausedUntil !== null) {
    const why = pauseSentence(of.pacePauseReason);
    return stuck('waiting', `Nothing is handed over until ${of.pacePausedUntil.toISOString()}: ${why}`, of.progressAt);
  }
  if (of.state !== 'freezing' && of.deferred > 0 && of.deferred >= of.queued && of.sending === 0) {
    return stuck('waiting', providerSentence(of), of.progressAt);
  }
  if (of.state !== 'freezing' && of.queued > 0 && of.ahead >= AHEAD_WORTH_SAYING) {
    const count = of.ahead >= AHEAD_MAX ? `at least ${AHEAD_MAX}` : String(of.ahead);
    return stuck(doing, `${count} emails of higher priority go first; one in five is left to sends like this.`, null);
  }
  const since = movedAt(of);
  return (
    awaitingPart(of) ?? (isStalled(of, since) ? stuck('waiting', stalledSentence(of, since), since) : moving(doing))
  );
}

/** Nothing is left of the parts that have begun. undefined: something is, or no part is to come. */
function awaitingPart(of: Circumstances): BulkProgress | undefined {
  const next = of.state === 'releasing' ? nextPart(of.parts, of.now) : undefined;
  if (next === undefined || of.queued + of.sending > 0 || of.mayRelease) return undefined;
  const reason = `The next part, ${next.recipients} recipients, begins at ${next.at.toISOString()}.`;
  return { ...stuck('waiting', reason, of.progressAt), resumesAt: next.at };
}

const withoutWorker = ({ workerSeenAt }: Circumstances): string =>
  workerSeenAt === null
    ? 'No process that sends mail is running.'
    : `No process that sends mail has been seen since ${workerSeenAt.toISOString()}.`;

function providerSentence({ deferredError, deferredUntil }: Circumstances): string {
  const next = deferredUntil === null ? '' : ` The next attempt is at ${deferredUntil.toISOString()}.`;
  return `The provider does not take mail at the moment: ${deferredError ?? 'it gave no reason'}.${next}`;
}

function pauseSentence(reason: string | null): string {
  if (reason === null) return 'no reason was given.';
  if (reason === 'throttled') return 'the provider says that we are too fast.';
  return `${reason.replace(/^quota: /, 'the quota of the provider is used up: ')}.`.replace(/\.\.$/, '.');
}

/** Since when nothing moves, if it does not: before the last part began there was nothing to do. */
function movedAt({ state, parts, now, progressAt }: Circumstances): Date | null {
  const begun = state === 'releasing' ? lastBegunAt(parts, now) : null;
  return progressAt !== null && begun !== null && begun > progressAt ? begun : progressAt;
}

/** Work that this service should have done by now: freezing, or releasing when the queue has room. */
function isStalled({ state, now, queued, sending, mayRelease }: Circumstances, since: Date | null): boolean {
  if (since === null || now.getTime() - since.getTime() < STALLED_MS) return false;
  return state === 'freezing' || (state === 'releasing' && mayRelease && queued + sending === 0);
}

const stalledSentence = ({ state }: Circumstances, since: Date | null): string =>
  `${state === 'freezing' ? 'Recipients are not being written' : 'Nothing goes to the queue'} since ${since?.toISOString() ?? 'it began'}; see the log of the worker.`;
