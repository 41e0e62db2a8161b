import { createHash } from 'node:crypto';
import type { MailReceipt } from '#features/feedback';
import { type Db, onCommit } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { signal } from '#platform/work/signal.ts';
import { insertArrivals, type NewArrival } from './queries.ts';

/** A message that Amazon SES received was noted. */
export const arrivalNoted = signal();

/**
 * Keeps what Amazon SES received, in the transaction that settles its notification. A message of two rules with the
 * same recipients, or of a notification that came twice, is one.
 */
export async function noteArrivals(tx: Db, receipts: readonly MailReceipt[]): Promise<void> {
  await insertArrivals(tx, receipts.map(arrivalOf));
  onCommit(tx, () => arrivalNoted.tell());
}

const NOWHERE = { region: null, bucket: null, objectKey: null };

const arrivalOf = ({ messageId, from, recipients, verdicts, content }: MailReceipt): NewArrival => ({
  id: newId(),
  digest: digestOf(messageId, recipients),
  envelopeFrom: from,
  recipients,
  verdicts,
  ...('bytes' in content
    ? { bytes: content.bytes, ...NOWHERE }
    : { bytes: null, region: content.region, bucket: content.bucket, objectKey: content.key }),
});

const digestOf = (messageId: string, recipients: readonly string[]): Buffer =>
  createHash('sha256')
    .update([messageId, ...recipients.map((one) => one.toLowerCase()).toSorted()].join('\n'))
    .digest();
