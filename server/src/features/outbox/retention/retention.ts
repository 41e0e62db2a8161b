import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Db } from '#platform/db/database.ts';
import { firstIdAt } from '#platform/ids.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { hourlyService, inThisHour, type Round } from '#platform/work/hourly.ts';
import { noteThrough } from '#platform/work/queries.ts';
import {
  deleteOldBatches,
  deleteOldEmails,
  deleteOldSends,
  type PageDone,
  removeClientData,
  type Span,
} from './queries/delete-old.ts';
import { findWorkspaceAfter } from './queries/find-workspace-after.ts';

/** Of its row in `rounds`. */
const NAME = 'retention';
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
 * clicks after `POSTHORN_CLIENT_DATA_DAYS`. Returns how many rows it removed; undefined: it is not
 * our turn.
 */
export async function applyRetention(
  { db, clock, settings }: RetentionOptions,
  goOn: () => boolean = () => true,
  stopping?: AbortSignal,
): Promise<number | undefined> {
  const of = { name: NAME, db, clock };
  return inThisHour(of, (round) => removeOld({ db, clock, settings }, round), goOn, stopping);
}

async function removeOld(
  { db, clock, settings }: Pick<RetentionOptions, 'db' | 'clock' | 'settings'>,
  { through, goOn, everyPage }: Round,
): Promise<number> {
  const now = clock.now().getTime();
  const daysAgo = (days: number): Date => new Date(now - days * DAY_MS);
  const steps: [PageWork, Span][] = [];
  if (settings.retentionDays > 0) {
    const span = { after: FIRST_ID, before: firstIdAt(daysAgo(settings.retentionDays)) };
    for (const work of [deleteOldEmails, deleteOldSends, deleteOldBatches]) steps.push([work, span]);
  }
  const clientDataThrough = daysAgo(settings.clientDataDays);
  if (settings.clientDataDays > 0) {
    steps.push([removeClientData, { after: firstIdAt(through), before: firstIdAt(clientDataThrough) }]);
  }

  let removed = 0;
  let workspaceId = await findWorkspaceAfter(db, FIRST_ID);
  for (; workspaceId !== undefined && goOn(); workspaceId = await findWorkspaceAfter(db, workspaceId)) {
    for (const [work, span] of steps) {
      const of = workspaceId;
      let { after } = span;
      await everyPage(async () => {
        const page = await work(db, of, { ...span, after }, PAGE);
        removed += page.removed;
        after = page.last ?? after;
        return page.last !== null;
      });
    }
  }
  const isDone = workspaceId === undefined && goOn();
  if (settings.clientDataDays > 0 && isDone) await noteThrough(db, NAME, clientDataThrough);
  return removed;
}

export const retentionService = (options: RetentionOptions): Service =>
  hourlyService({ ...options, name: NAME }, 'old emails could not be removed; trying again later', (goOn, stopping) =>
    applyRetention(options, goOn, stopping),
  );
