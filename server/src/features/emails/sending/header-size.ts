import type { Mailbox } from '#mail/addresses/addresses.ts';
import { formatMailbox } from '#mail/addresses/format-mailbox.ts';
import { headerSizeProblem, type SharedHeaders } from '#mail/message/message-headers.ts';

/**
 * Why a message of this send would have more headers than providers take, or null. Asked at acceptance, because later
 * it could only fail. Private copies differ by their recipient: the one that takes most room stands for all.
 */
export function headersTooLarge(
  read: SharedHeaders & { to: readonly Mailbox[]; grouped: { cc: readonly Mailbox[] } | null },
): string | null {
  if (read.grouped !== null) return headerSizeProblem(read, { to: read.to, cc: read.grouped.cc });
  let widest: Mailbox | undefined;
  let width = 0;
  for (const mailbox of read.to) {
    const own = mailbox.name === null ? mailbox.address.length : formatMailbox(mailbox).length;
    if (own <= width) continue;
    widest = mailbox;
    width = own;
  }
  return headerSizeProblem(read, { to: widest === undefined ? [] : [widest] });
}
