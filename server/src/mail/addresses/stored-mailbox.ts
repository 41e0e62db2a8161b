import type { Mailbox } from './addresses.ts';

/** A mailbox that was read strictly at acceptance, as it is kept. */
export interface StoredMailbox {
  /** As typed, its domain in ASCII. */
  address: string;
  name: string | null;
}

/** The mailbox again, without a second judgement. */
export function mailboxOf({ address, name }: StoredMailbox): Mailbox {
  const at = address.lastIndexOf('@');
  return {
    name,
    address,
    local: address.slice(0, at),
    domain: address.slice(at + 1),
    identity: address.toLowerCase(),
  };
}

/** `Ann <ann@example.com>` for reading; a header is written elsewhere and with more care. */
export const shownMailbox = ({ name, address }: StoredMailbox): string =>
  name === null ? address : `${name} <${address}>`;

/** The same for `parseMailbox`, which reads this mailbox in it, whatever signs its name has. */
export const quotedMailbox = ({ name, address }: StoredMailbox): string =>
  name === null ? address : `"${name.replace(/["\\]/g, '\\$&')}" <${address}>`;
