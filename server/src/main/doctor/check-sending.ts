import { queue } from '#features/outbox';
import type { Db } from '#platform/db/database.ts';
import { sayReason } from '../fence/hold-reasons.ts';
import { about, type Finding, ok, trouble } from './finding.ts';

export const SENDING = about({
  id: 'sending',
  looksAt: 'Whether sending is held because the database was restored or copied.',
  troubles: {
    held: {
      status: 'error',
      cause: '<reason> Nothing is sent until an operator confirms; emails are accepted and wait.',
      fix: 'Make sure that no other Posthorn sends from a copy of this database, then run npm start -- admin resume-sending, or confirm on the page System of the dashboard.',
    },
  },
});

export async function checkSending(db: Db): Promise<Finding> {
  const hold = await queue.hold.find(db);
  if (hold === undefined) return ok(SENDING, 'Sending is not held.');
  return trouble(SENDING, 'held', `Held since ${hold.since.toISOString()}.`, { reason: sayReason(hold.reason) });
}
