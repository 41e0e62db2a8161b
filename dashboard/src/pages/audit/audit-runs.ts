import type { AuditEntry } from '../../api/generated/types.gen.ts';
import { type Change, changesOf } from '../../lib/changed-fields.ts';

/** Somebody who writes stops longer than this when they go away; an editor saves every few seconds. */
const PAUSE_MAX_MS = 10 * 60_000;

/** One change, or several of one kind that an actor made to one record, with nothing of anybody between them. */
export interface AuditRun {
  newest: AuditEntry;
  /** With the newest first, without the newest. */
  older: readonly AuditEntry[];
}

/** Entries of a page, the newest first, as runs in the same order. Each entry is in one run. */
export function runsOf(entries: readonly AuditEntry[]): readonly AuditRun[] {
  const runs: { newest: AuditEntry; older: AuditEntry[] }[] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    if (run !== undefined && goesOn(entry, run.older.at(-1) ?? run.newest)) run.older.push(entry);
    else runs.push({ newest: entry, older: [] });
  }
  return runs;
}

/** Whether the change went on with the next one. Only fields that were changed again are a change in steps. */
function goesOn(entry: AuditEntry, next: AuditEntry): boolean {
  const [{ actor, target }, { actor: by, target: of }] = [entry, next];
  return (
    entry.action === next.action &&
    [actor.type, actor.id, actor.ip].join() === [by.type, by.id, by.ip].join() &&
    target.id !== null &&
    [target.type, target.id].join() === [of.type, of.id].join() &&
    changesOf(entry.details) !== undefined &&
    changesOf(next.details) !== undefined &&
    Date.parse(next.at) - Date.parse(entry.at) <= PAUSE_MAX_MS
  );
}

/** Each field with its value before the first change of the run and after the last; none that is as it was. */
export function changesOfRun({ newest, older }: AuditRun): Record<string, Change> | undefined {
  if (older.length === 0) return changesOf(newest.details);
  const all = new Map<string, Change>();
  for (const { details } of [newest, ...older])
    for (const [field, { before, after }] of Object.entries(changesOf(details) ?? {}))
      all.set(field, { before, after: all.get(field)?.after ?? after });
  const changed = [...all].filter(([, { before, after }]) => JSON.stringify(before) !== JSON.stringify(after));
  return Object.fromEntries(changed);
}
