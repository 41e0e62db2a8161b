import { AddressError, identityOf, parseMailbox } from '#mail/addresses/addresses.ts';

/**
 * The identity of a recipient as a provider or a receiving server wrote it: `Ada <ADA@example.com>` is ada@example.com,
 * and a domain may end with its dot. Null for what is no address of ours: it suppresses nobody, and must not fail the
 * batch, which would come back for ever.
 */
export function identityTold(recipient: string): string | null {
  try {
    const address = recipient.trim().replace(/\.$/, '');
    return address.includes('<') ? parseMailbox(address).identity : identityOf(address);
  } catch (error) {
    if (error instanceof AddressError) return null;
    throw error;
  }
}
