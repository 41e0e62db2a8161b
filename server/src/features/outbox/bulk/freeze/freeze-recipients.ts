import type { RawBuilder } from 'kysely';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { reach } from '#platform/fault-points.ts';
import { bulkPageFrozen } from '../../announcements.ts';
import type { SendKey } from '../bulk-send.ts';
import { bulkWork } from '../../bulk-signal.ts';
import { type PartOfSend, withPage } from '../parts.ts';
import { closeFreeze, freezePage, lockFreeze, tellSuppressedOfPage, updateParts } from './freeze-queries.ts';

/** The next page after a cursor, as an audience gives it; of a part, when the send has parts. */
export type PageOfRecipients = (after: string | null, limit: number, part: number | null) => RawBuilder<unknown>;

/** `busy`: another process is at it. `stopped`: it is not being frozen any more. */
export type Frozen =
  | { outcome: 'page'; recipients: number }
  | { outcome: 'closed'; recipients: number; total: number }
  | { outcome: 'busy' | 'stopped' };

/**
 * Freezes the next page of recipients: one pending email each, unique per address, suppressed ones settled at once. The
 * page and its cursor are one transaction that holds the send, so whoever is killed leaves a page boundary, two at once
 * never write the same page, and a cancel comes before a page or after it. The page that is not full closes the freeze,
 * or its part: no page has recipients of two.
 */
export async function freezeRecipients(db: Db, key: SendKey, page: PageOfRecipients, limit: number): Promise<Frozen> {
  const frozen = await inTransaction(db, (tx) => freezeInTransaction(tx, key, page, limit));
  await reach('outbox.freeze.after-commit');
  if (frozen.outcome === 'closed') bulkWork.tell();
  return frozen;
}

async function freezeInTransaction(tx: Db, key: SendKey, page: PageOfRecipients, limit: number): Promise<Frozen> {
  const freeze = await lockFreeze(tx, key);
  if (freeze === undefined) return { outcome: 'busy' };
  if (freeze.state !== 'freezing' || freeze.isCancelled) return { outcome: 'stopped' };
  const part = freeze.parts?.find(({ frozen }) => !frozen);
  const notBefore = part?.at ?? null;
  const frozen = await freezePage(tx, key, { ...freeze, notBefore }, page(freeze.cursor, limit, part?.part ?? null));
  const { recipients, written, suppressed, passedOver, suppressedIds } = frozen;
  if (suppressedIds !== null) await tellSuppressedOfPage(tx, key, suppressedIds);
  if (recipients > 0) {
    const { workspaceId, sendId } = key;
    await bulkPageFrozen.announce(tx, { workspaceId, sendId, written, suppressed, passedOver });
  }
  await reach('outbox.freeze.before-commit');
  const isWhole = recipients < limit;
  const goesOn = part !== undefined && (await notePart(tx, key, { ...freeze, part, last: frozen.lastId, isWhole }));
  if (goesOn || !isWhole) return { outcome: 'page', recipients };
  return { outcome: 'closed', recipients, total: await closeFreeze(tx, key, freeze) };
}

/** True: another part is to be frozen. */
async function notePart(
  tx: Db,
  key: SendKey,
  { parts, part, ...page }: { parts: PartOfSend[] | null; part: PartOfSend; last: string | null; isWhole: boolean },
): Promise<boolean> {
  const noted = withPage(parts ?? [], { part: part.part, ...page });
  await updateParts(tx, key, { parts: noted, isWhole: page.isWhole });
  return noted.some(({ frozen }) => !frozen);
}
