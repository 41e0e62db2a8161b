/** Mailboxes in the form headers carry them. An address is never encoded, quoted or folded: it is ASCII or refused. */
import type { Mailbox } from './addresses.ts';
import { encodePhrase } from '../headers/header-text.ts';

const safeAddress = /^[^\x00-\x20\x7f-\uffff"(),:;<>@[\\\]]+@[a-z0-9.-]+$/;

/** `local@domain` or `Name <local@domain>`. Throws for an address that did not come through parseMailbox. */
export function formatMailbox(mailbox: Pick<Mailbox, 'name' | 'address'>): string {
  // Last line of defence: a stored address reaches a header without having been parsed in this process.
  if (!safeAddress.test(mailbox.address))
    throw new Error('The address of a mailbox has a character no header can carry');
  const phrase = mailbox.name === null ? '' : encodePhrase(mailbox.name);
  return phrase === '' ? mailbox.address : `${phrase} <${mailbox.address}>`;
}

export function formatMailboxes(mailboxes: readonly Pick<Mailbox, 'name' | 'address'>[]): string {
  return mailboxes.map(formatMailbox).join(', ');
}
