import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Db } from '#platform/db/database.ts';
import { firstIdAt } from '#platform/ids.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { loop } from '#platform/work/loop.ts';
import {
  deleteOldBatches,
  deleteOldEmails,
  deleteOldSends,
  type PageDone,
  removeClientData,
  type Span,
} from './queries/delete-old.ts';
import { claimRound, findWorkspaceAfter, noteClientDataThrough } from './queries/rounds.ts';

const EVERY_MS = 60_000;
const DAY_MS = 86_400_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Emails or other rows of one statement. */
const PAGE = 1_000;

export interface RetentionOptions {
  db: Db;
  clock: Clock;
  log: Log;
  settings: Pick<Settings, 'retentionDays' | 'clientDataDays'>;
}

type PageWork = (db: Db, workspaceId: string, span: Span, page: number) => Promise<PageDone>;

/**
 * Removes emails and everything that hangs on them after `POSTHORN_RETENTION_DAYS`, and client addresses from opens and
 * clicks after `POSTHORN_CLIENT_DATA_DAYS`. One process does it in an hour. It rests as long as a page took, so that
 * sending keeps at least half of the database. Returns how many rows it removed; undefined: it is not our turn.
 */
export async function applyRetention(
  { db, clock, settings }: RetentionOptions,
  goOn: () => boolean = () => true,
  stopping?: AbortSignal,
): Promise<number | undefined> {
  const round = await claimRound(db);
  if (round === undefined) return undefined;
  const now = clock.now().getTime();
  const daysAgo = (days: number): Date => new Date(now - days * DAY_MS);
  const steps: [PageWork, Span][] = [];
  if (settings.retentionDays > 0) {
    const span = { after: FIRST_ID, before: firstIdAt(daysAgo(settings.retentionDays)) };
    for (const work of [deleteOldEmails, deleteOldSends, deleteOldBatches]) steps.push([work, span]);
  }
  const through = daysAgo(settings.clientDataDays);
  if (settings.clientDataDays > 0) {
    steps.push([removeClientData, { after: firstIdAt(round.clientDataThrough), before: firstIdAt(through) }]);
  }

  let removed = 0;
  const everyPage = async (workspaceId: string, work: PageWork, span: Span): Promise<void> => {
    let after: string | null = span.after;
    while (after !== null && goOn()) {
      const begunMs = clock.monotonicMs();
      const page: PageDone = await work(db, workspaceId, { ...span, after }, PAGE);
      removed += page.removed;
      after = page.last;
      if (after !== null) await clock.sleep(clock.monotonicMs() - begunMs, stopping);
    }
  };
  let workspaceId = await findWorkspaceAfter(db, FIRST_ID);
  while (workspaceId !== undefined && goOn()) {
    for (const [work, span] of steps) await everyPage(workspaceId, work, span);
    workspaceId = await findWorkspaceAfter(db, workspaceId);
  }
  if (settings.clientDataDays > 0 && workspaceId === undefined && goOn()) await noteClientDataThrough(db, through);
  return removed;
}

export const retentionService = (options: RetentionOptions): Service =>
  loop({
    name: 'retention',
    beginsAtOnce: true,
    everyMs: EVERY_MS,
    clock: options.clock,
    log: options.log,
    failure: 'old emails could not be removed; trying again later',
    round: (goOn, stopping) => applyRetention(options, goOn, stopping),
  });
