import type { Mailbox } from '#mail/addresses.ts';

/** A mailbox that was parsed at acceptance and kept as address and name. */
export function mailboxOf(stored: { address: string; name: string | null }): Mailbox {
  const at = stored.address.lastIndexOf('@');
  return {
    name: stored.name,
    address: stored.address,
    local: stored.address.slice(0, at),
    domain: stored.address.slice(at + 1),
    identity: stored.address.toLowerCase(),
  };
}
