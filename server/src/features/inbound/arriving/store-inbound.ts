import { createHash } from 'node:crypto';
import type { ReceivingDomain } from '#features/domains';
import type { Settings } from '#platform/config/settings.ts';
import { type Db, inTransaction, onCommit } from '#platform/db/database.ts';
import { reach } from '#platform/fault-points.ts';
import { newId } from '#platform/ids.ts';
import type { ReceivedMessage } from '#platform/smtp/mail-destination.ts';
import { SmtpReply } from '#platform/smtp/smtp-reply.ts';
import { signal } from '#platform/work/signal.ts';
import { insertInbound, insertMessage, takeRoom } from './queries.ts';

/** Mail was stored and waits to be read. */
export const inboundStored = signal();

const MB = 1_048_576;
const NAME_CHARS_MAX = 255;

/**
 * Stores a message as it came; when this returns it is committed, and 250 may be said. The same bytes for the same
 * envelope are stored once for as long as they are kept: a server that did not hear the answer delivers once more.
 * Throws 452 when the domain has no room.
 */
export async function storeInbound(
  { db, settings }: { db: Db; settings: Pick<Settings, 'inboundMb'> },
  { workspaceId, id: domainId }: Pick<ReceivingDomain, 'workspaceId' | 'id'>,
  { from, to, raw, address, clientName, verdicts }: ReceivedMessage,
): Promise<void> {
  const id = newId();
  const of = { workspaceId, domainId };
  await inTransaction(db, async (tx) => {
    const isNew = await insertInbound(tx, {
      ...of,
      id,
      digest: digestOf(from, to, raw),
      size: raw.length,
      envelopeFrom: storable(from),
      envelopeTo: to.map(storable),
      clientIp: address,
      clientName: clientName === null ? null : storable(clientName),
      verdicts: verdicts ?? null,
    });
    if (!isNew) return;
    if (!(await takeRoom(tx, { ...of, bytes: raw.length, bytesMax: settings.inboundMb * MB }))) {
      throw new SmtpReply(452, 'The mailbox is full, try again later', '4.2.2');
    }
    await insertMessage(tx, { workspaceId, id, bytes: raw });
    onCommit(tx, () => inboundStored.tell());
    await reach('inbound.store.before-commit');
  });
  await reach('inbound.store.after-commit');
}

function digestOf(from: string, to: readonly string[], raw: Buffer): Buffer {
  const hash = createHash('sha256');
  for (const address of [from, ...to.map((one) => one.toLowerCase()).toSorted()]) hash.update(`${address}\n`);
  return hash.update('\n').update(raw).digest();
}

const storable = (text: string): string =>
  text
    .replace(/[\x00-\x1f\x7f]+/g, ' ')
    .toWellFormed()
    .slice(0, NAME_CHARS_MAX);
