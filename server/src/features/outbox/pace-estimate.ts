/** A stretched interval comes back by one whole interval in this time. */
export const STRETCH_BACK_SECONDS = 30;

/** The pace at one moment, from which estimates are made. */
export interface Pace {
  /** Recipients per second when the provider does not throttle: the setting, or less if the provider allows less. */
  fullRate: number;
  /** The pace is slower by this factor now, and comes back by itself. */
  stretch: number;
  pausedUntil: Date | null;
  /** Nothing leaves until an operator confirms, and nobody knows when that is. */
  heldSince: Date | null;
}

/**
 * When parts will have left of which each begins at a time of its own, in their order: none before its time, and none
 * before the one in front of it has left.
 */
export function timeToLeaveInParts(pace: Pace, now: Date, parts: readonly { at: Date; emails: number }[]): Date | null {
  let done: Date | null = now;
  for (const { at, emails } of parts) {
    if (done === null) return null;
    const from: Date = at <= done ? done : at;
    done = timeToLeave(paceAt(pace, now, from), from, emails);
  }
  return done;
}

/** Whatever slows the pace down now has less of it left then. */
const paceAt = (pace: Pace, now: Date, then: Date): Pace => ({
  ...pace,
  stretch: Math.max(1, pace.stretch - (then.getTime() - now.getTime()) / 1_000 / STRETCH_BACK_SECONDS),
});

/**
 * When the rest of a bulk send will have left, behind `ahead` emails of others. The rest of the parts that have begun
 * leaves first; of parts to come, recipients who have left meanwhile count, too.
 */
export function timeOfRest(
  pace: Pace,
  now: Date,
  {
    ahead,
    waiting,
    parts,
  }: { ahead: number; waiting: number; parts: readonly { at: Date; recipients: number }[] | null },
): Date | null {
  const later = (parts ?? []).filter(({ at }) => at > now).map(({ at, recipients }) => ({ at, emails: recipients }));
  const begun = Math.max(0, waiting - later.reduce((sum, { emails }) => sum + emails, 0));
  return timeToLeaveInParts(pace, now, [{ at: now, emails: ahead + begun }, ...later]);
}

/** The rate at this moment. */
export const rateNow = ({ fullRate, stretch }: Pace): number => fullRate / stretch;

/**
 * When so many emails will have left, if nothing else slows the pace down; null while sending is held. The interval
 * shrinks while they leave, and during a pause too: after t seconds, fullRate * 30 * ln(stretch / (stretch - t / 30))
 * emails have left.
 */
export function timeToLeave(
  { fullRate, stretch, pausedUntil, heldSince }: Pace,
  now: Date,
  emails: number,
): Date | null {
  if (heldSince !== null) return null;
  const pauseMs = pausedUntil === null ? 0 : Math.max(0, pausedUntil.getTime() - now.getTime());
  const from = Math.max(1, stretch - pauseMs / 1_000 / STRETCH_BACK_SECONDS);
  const untilFull = fullRate * STRETCH_BACK_SECONDS * Math.log(from);
  const seconds =
    emails <= untilFull
      ? STRETCH_BACK_SECONDS * from * (1 - Math.exp(-emails / (fullRate * STRETCH_BACK_SECONDS)))
      : STRETCH_BACK_SECONDS * (from - 1) + (emails - untilFull) / fullRate;
  // The pause is whole milliseconds: as a fraction of a second it could be rounded up by one.
  return new Date(now.getTime() + pauseMs + Math.ceil(seconds * 1_000));
}
