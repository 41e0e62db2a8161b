import type { Clock } from '#platform/clock.ts';
import { readDatabaseClock } from '#platform/db/clock-queries.ts';
import type { Db } from '#platform/db/database.ts';
import { STEP_MIN_MS } from '#platform/db/database-clock.ts';
import { about, type Finding, ok, trouble } from './finding.ts';

export const CLOCK = about({
  id: 'clock',
  looksAt: 'Whether the clocks of the database and of this machine agree to 30 seconds.',
  troubles: {
    differs: {
      status: 'warning',
      cause:
        'The clock of the database is <seconds> seconds <side> the clock of this machine. By the first, scheduled issues start and retries are due; by the second, links expire and emails are dated.',
      fix: 'Let both machines set their clocks by NTP. A running Posthorn that noticed the step believes the database again when the clocks agree.',
    },
  },
});

export async function checkClock({ db, clock }: { db: Db; clock: Clock }): Promise<Finding> {
  const before = clock.now().getTime();
  const database = await readDatabaseClock(db);
  const after = clock.now().getTime();
  // The answer was given at some moment in between.
  const apartMs = database > after ? database - after : Math.min(0, database - before);
  if (Math.abs(apartMs) <= STEP_MIN_MS) return ok(CLOCK, 'The clocks of the database and of this machine agree.');
  const seconds = String(Math.round(Math.abs(apartMs) / 1_000));
  const side = apartMs > 0 ? 'ahead of' : 'behind';
  return trouble(CLOCK, 'differs', `${seconds} seconds apart.`, { seconds, side });
}
