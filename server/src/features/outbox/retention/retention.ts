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
import { pageOfWorkspaces } from './queries/due-workspaces.ts';

/** Of its row in `rounds`. */
const NAME = 'retention';
const DAY_MS = 86_400_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Emails or other rows of one statement. */
const PAGE = 1_000;
/** Workspaces that one statement looks at. */
const WORKSPACES = 500;

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
  const idDaysAgo = (days: number): string =>
    days === 0 ? FIRST_ID : firstIdAt(new Date(clock.now().getTime() - days * DAY_MS));
  const old = { after: FIRST_ID, before: idDaysAgo(settings.retentionDays) };
  const done = new Date(clock.now().getTime() - settings.clientDataDays * DAY_MS);
  const clientData = { after: firstIdAt(through), before: idDaysAgo(settings.clientDataDays) };
  const steps: [PageWork, Span][] = [
    [deleteOldEmails, old],
    [deleteOldSends, old],
    [deleteOldBatches, old],
    [removeClientData, clientData],
  ];
  const spans = steps.filter(([, { before }]) => before !== FIRST_ID);

  let removed = 0;
  const clear = async (workspaceId: string): Promise<void> => {
    for (const [work, span] of spans) {
      let { after } = span;
      await everyPage(async () => {
        const page = await work(db, workspaceId, { ...span, after }, PAGE);
        removed += page.removed;
        after = page.last ?? after;
        return page.last !== null;
      });
    }
  };
  let after: string | null = FIRST_ID;
  while (after !== null && goOn()) {
    const page = await pageOfWorkspaces(db, after, { old, clientData, steps: WORKSPACES });
    for (const workspaceId of page.due) await clear(workspaceId);
    after = page.last;
  }
  if (settings.clientDataDays > 0 && goOn()) await noteThrough(db, NAME, done);
  return removed;
}

export const retentionService = (options: RetentionOptions): Service =>
  hourlyService({ ...options, name: NAME }, 'old emails could not be removed; trying again later', (goOn, stopping) =>
    applyRetention(options, goOn, stopping),
  );
