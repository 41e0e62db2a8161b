import type { ImportOptions } from '../imports/import.ts';
import type { PersonRow } from './read-person.ts';
import type { PersonStatus } from './standing.ts';

/** A row of the list that has the address already, locked. */
export interface HeldPerson {
  id: string;
  email: string;
  name: string | null;
  source: string | null;
  metadata: Record<string, unknown>;
  status: PersonStatus;
  confirmedAt: Date | null;
  importId: string | null;
}

/** The known state of the addresses of a page, besides the people who are on the list. */
export interface KnownAddresses {
  importId: string;
  suppressed: ReadonlySet<string>;
  /** The people who asked to be forgotten. */
  erased: ReadonlySet<string>;
  /** The people who left after they had been removed. */
  left: ReadonlySet<string>;
}

type SkipReason = 'duplicate' | 'exists' | 'unsubscribed' | 'subscribed_since' | 'suppressed' | 'erased';

export type Judgement =
  | { do: 'create'; status: PersonStatus }
  | { do: 'update'; id: string; name: string | null; source: string | null; metadata: Record<string, unknown> }
  | { do: 'unsubscribe'; id: string; from: 'pending' | 'active' }
  | { do: 'skip'; reason: SkipReason };

const skip = (reason: SkipReason): Judgement => ({ do: 'skip', reason });

/**
 * What an import does with a row. It brings nobody back: who left, is suppressed, or asked to be forgotten stays so,
 * whatever the file says. That somebody left elsewhere is taken over, also from the second row of a person whom this
 * file has added. Only fields are ever filled or overwritten.
 */
export function judgePerson(
  row: PersonRow,
  held: HeldPerson | undefined,
  known: KnownAddresses,
  options: Pick<ImportOptions, 'alreadyConfirmed' | 'onConflict'>,
): Judgement {
  if (held !== undefined) return judgeHeld(row, held, known.importId, options);
  if (known.erased.has(row.email)) return skip('erased');
  const status = row.status === 'unsubscribed' || row.status === 'pending' ? row.status : newStatus(options);
  if (status !== 'unsubscribed' && known.left.has(row.email)) return skip('unsubscribed');
  if (status !== 'unsubscribed' && known.suppressed.has(row.email)) return skip('suppressed');
  return { do: 'create', status };
}

const newStatus = ({ alreadyConfirmed }: Pick<ImportOptions, 'alreadyConfirmed'>): PersonStatus =>
  alreadyConfirmed ? 'active' : 'pending';

function judgeHeld(
  row: PersonRow,
  held: HeldPerson,
  importId: string,
  { onConflict }: Pick<ImportOptions, 'onConflict'>,
): Judgement {
  const isOfThisFile = held.importId === importId;
  if (held.status === 'unsubscribed') return skip(isOfThisFile ? 'duplicate' : 'unsubscribed');
  if (row.status === 'unsubscribed') {
    const cameBack = row.unsubscribedAt !== null && held.confirmedAt !== null && row.unsubscribedAt < held.confirmedAt;
    return cameBack && !isOfThisFile ? skip('subscribed_since') : { do: 'unsubscribe', id: held.id, from: held.status };
  }
  if (isOfThisFile) return skip('duplicate');
  const wins = onConflict === 'upsert';
  const name = wins ? (row.name ?? held.name) : (held.name ?? row.name);
  const source = wins ? (row.source ?? held.source) : (held.source ?? row.source);
  const metadata = wins ? { ...held.metadata, ...row.metadata } : { ...row.metadata, ...held.metadata };
  const isSame = name === held.name && source === held.source && sameJson(metadata, held.metadata);
  return isSame ? skip('exists') : { do: 'update', id: held.id, name, source, metadata };
}

function sameJson(one: Record<string, unknown>, other: Record<string, unknown>): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length && names.every((name) => canonical(one[name]) === canonical(other[name]))
  );
}

/** Texts that are equal when the values are, in whatever order their keys stand. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  ) ?? 'undefined';
