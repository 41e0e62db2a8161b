import type { SendReceipt } from '#features/outbox';

/** The answer lists this many emails; the job has them all. */
const LISTED = 100;

/** The fields of every accepted send: its job and what became of each address. */
export function sendAnswer(receipt: SendReceipt) {
  return {
    jobId: receipt.jobId,
    status: receipt.suppressed === receipt.total ? ('suppressed' as const) : ('queued' as const),
    emails: receipt.emails.slice(0, LISTED).map(({ id, recipient, status, leftOut }) => ({
      id,
      to: recipient,
      status,
      ...(leftOut.length === 0 ? {} : { suppressed: leftOut }),
    })),
  };
}
