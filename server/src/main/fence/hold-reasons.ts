import { ownEntry } from '#platform/own-entry.ts';
import type { LastSeen } from './fence-file.ts';
import { databaseOf } from './fence-file.ts';
import type { Identity, Recorded } from './queries.ts';

/** How long no process that sends may have seen the database: what waits is as old. */
const SILENT_SECONDS_MAX = 86_400;

/** A hold of all sending, as it stands in the database. */
export interface Hold {
  since: Date;
  reason: string;
}

/** The facts that were found, as sentences that a start, the log, the doctor and the dashboard say. */
export const HOLD_REASONS = {
  other_server: 'This database was last used on another PostgreSQL server: it was restored from a dump, or upgraded.',
  other_database: 'This is a copy of the database that was last used, or a dump of it that was restored.',
  other_tables: 'The tables of this database are not those that were last used: a dump was restored over them.',
  other_timeline: 'This PostgreSQL was restored to a point in time, or a standby took the place of the server.',
  went_back: 'This database is older than Posthorn has seen it: a backup was restored.',
  copied_folder: 'The data directory is a copy of the one that was last used.',
  no_file: 'The database was used, and the data directory has no trace of it: a backup was restored.',
  long_silence: 'No process has sent from this database for more than a day.',
} as const;

export type HoldReason = keyof typeof HOLD_REASONS;

/** `reason` as it stands in the database: a newer version may have others. */
export const sayReason = (reason: string): string =>
  ownEntry(HOLD_REASONS, reason) ?? 'This database was restored or copied.';

export const HOLD_REMEDY =
  'Make sure that no other Posthorn sends from a copy of it, read what waits, and confirm: npm start -- admin resume-sending, or the page System of the dashboard.';

interface Found {
  recorded: Recorded;
  now: Identity;
}

/** Undefined: it is the database that was last used. A fact that is not known on both sides is not compared. */
function reasonOfIdentity({ recorded, now }: Found): HoldReason | undefined {
  const differs = (a: string | number | null, b: string | number | null): boolean =>
    a !== null && b !== null && a !== b;
  if (differs(recorded.systemIdentifier, now.systemIdentifier)) return 'other_server';
  if (differs(recorded.databaseOid, now.databaseOid)) return 'other_database';
  if (differs(recorded.tableOid, now.tableOid)) return 'other_tables';
  if (differs(recorded.timeline, now.timeline)) return 'other_timeline';
  return undefined;
}

const wasSilent = ({ seenSecondsAgo }: Recorded): boolean => (seenSecondsAgo ?? 0) > SILENT_SECONDS_MAX;

/**
 * Why a process that starts must not send; undefined: it may. `file`: of the data directory; one that tells of another
 * database says nothing. `isEmbedded`: the data directory contains the database too, so they are copied together.
 */
export function reasonAtStart(
  found: Found & { file: LastSeen | undefined; isEmbedded: boolean },
): HoldReason | undefined {
  const { recorded, now, isEmbedded } = found;
  const file = found.file?.database === databaseOf(now) ? found.file : undefined;
  const identity = reasonOfIdentity(found);
  if (identity !== undefined) return identity;
  // A backup of a version without the fence has no epoch, and the file beside it has.
  if (file !== undefined && file.epoch > (recorded.epoch ?? 0)) return 'went_back';
  if (recorded.epoch === null) return undefined;
  if (isEmbedded && file === undefined) return 'no_file';
  if (isEmbedded && file?.isOriginal === false) return 'copied_folder';
  return wasSilent(recorded) ? 'long_silence' : undefined;
}

/**
 * The same for a process that runs. `epoch`: the last one that it wrote itself. A long silence is not looked for: the
 * clock of the database may have been set forward.
 */
export function reasonWhileRunning(found: Found & { epoch: number }): HoldReason | undefined {
  const identity = reasonOfIdentity(found);
  if (identity !== undefined) return identity;
  return (found.recorded.epoch ?? 0) < found.epoch ? 'went_back' : undefined;
}
