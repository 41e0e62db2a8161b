import type { Db } from '#platform/db/database.ts';
import { markMemberSeen } from '../queries.ts';
import { sessionExpiry } from './open-session.ts';
import { prolongSession } from './session-queries.ts';

/** How exact "last used" is. A page of the dashboard asks a dozen things at once; one of them writes. */
const EXACT_TO_MS = 300_000;

/** A session in use goes on: its time starts anew, at most once in five minutes. */
export async function keepSession(
  db: Db,
  used: { sessionId: string; hash: Buffer; userId: string; lastUsedAt: Date; ip: string; now: Date },
): Promise<void> {
  const { sessionId: id, hash, userId, lastUsedAt, ip, now } = used;
  const before = new Date(now.getTime() - EXACT_TO_MS);
  if (lastUsedAt > before) return;
  const isFirst = await prolongSession(db, { id, hash, ip, now, before, expiresAt: sessionExpiry(now) });
  if (isFirst) await markMemberSeen(db, userId, now);
}
