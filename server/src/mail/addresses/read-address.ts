import { invalid } from '#platform/errors/app-error.ts';
import { AddressError, type Mailbox, parseMailbox } from './addresses.ts';

/** One address alone, in whatever case. Throws 400 with the reason. */
export function readAddress(text: string, param = 'email'): Mailbox {
  try {
    const mailbox = parseMailbox(text);
    if (mailbox.name !== null) throw invalid(param, `${param} must be an address alone, without a name`);
    return mailbox;
  } catch (error) {
    if (error instanceof AddressError) throw invalid(param, `${param} must be an email address. ${error.reason}`);
    throw error;
  }
}

/** The identity of a text that is one address alone; undefined for any other text. */
export function identityIn(text: string): string | undefined {
  try {
    const { name, identity } = parseMailbox(text);
    return name === null ? identity : undefined;
  } catch (error) {
    if (error instanceof AddressError) return undefined;
    throw error;
  }
}
