/**
 * A bulk send may have parts, each with a time from which its emails may leave. Parts are frozen one after another, so
 * that the ids of emails are in the order of these times; a release takes emails in the order of their ids.
 */

/** A part as it is given, in the order of their times. */
export interface NewPart {
  /** As the page of an audience is asked for it. */
  part: number;
  at: Date;
  recipients: number;
}

/** A part as it is stored with the send. */
export interface PartOfSend {
  part: number;
  /** ISO 8601, in milliseconds. */
  at: string;
  recipients: number;
  /** All of its emails are written. */
  frozen: boolean;
  /** The highest id of its emails; null: there is none. */
  last: string | null;
}

export const newParts = (parts: readonly NewPart[]): PartOfSend[] =>
  parts.map(({ part, at, recipients }) => ({ part, at: at.toISOString(), recipients, frozen: false, last: null }));

const hasBegun = ({ at }: PartOfSend, now: Date): boolean => new Date(at) <= now;

/** The emails that may leave. */
export interface OpenParts {
  /** No email with a higher id may leave. */
  last: string;
  at: Date;
}

/** undefined: no part that has begun has emails. */
export function openParts(parts: readonly PartOfSend[], now: Date): OpenParts | undefined {
  // Ids of one spelling sort as text like their bytes.
  const last = parts.filter((part) => hasBegun(part, now)).reduce((high, part) => higher(high, part.last), '');
  return last === '' ? undefined : { last, at: now };
}

const higher = (one: string, other: string | null): string => (other !== null && other > one ? other : one);

/** The part that begins next; undefined: all have begun. */
export function nextPart(parts: readonly PartOfSend[] | null, now: Date): { at: Date; recipients: number } | undefined {
  const next = (parts ?? []).find((part) => part.recipients > 0 && !hasBegun(part, now));
  return next === undefined ? undefined : { at: new Date(next.at), recipients: next.recipients };
}

/** When the last of the parts that have begun did so; null: none has. */
export const lastBegunAt = (parts: readonly PartOfSend[] | null, now: Date): Date | null => {
  const last = (parts ?? []).findLast((part) => hasBegun(part, now));
  return last === undefined ? null : new Date(last.at);
};

/** The parts after a page of the one that is being frozen. */
export const withPage = (
  parts: readonly PartOfSend[],
  { part, last, isWhole }: { part: number; last: string | null; isWhole: boolean },
): PartOfSend[] =>
  parts.map((one) =>
    one.part === part ? { ...one, frozen: isWhole, last: higher(one.last ?? '', last) || null } : one,
  );
