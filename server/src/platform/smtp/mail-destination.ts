import { domainToASCII } from 'node:url';
import type { HeldBody } from '../http/body/body-budget.ts';
import type { MailVerdicts } from './mail-verdicts.ts';
import { SmtpReply } from './smtp-reply.ts';

export interface ReceivedMessage {
  /** Bare address; empty for the null sender. */
  from: string;
  to: readonly string[];
  /** As it came, without the dots of the transfer; its first `keepBytes`. */
  raw: Buffer;
  /** Of the other side; '' is not known. */
  address: string;
  /** The name in its EHLO. */
  clientName: string | null;
  /** Of a service that has received the message already: nobody hears a refusal any more. Left out: SMTP. */
  verdicts?: MailVerdicts;
}

/** Where a message goes to. All recipients of a transaction have the same; mail for another comes in another one. */
export interface MailDestination {
  /** The same for the same destination. */
  key: string;
  /** Of one message. */
  recipientsMax: number;
  /** A longer message is refused. */
  messageBytes: number;
  /** Of each message so much is kept and given on. */
  keepBytes: number;
  /** Room for the bytes of a message; undefined: none now. Left out: it needs little enough without asking. */
  hold?(bytes: number): HeldBody | undefined;
  /** Takes responsibility: 250 follows. Throws an SmtpReply; anything else is answered 451, so that it comes again. */
  accept(message: ReceivedMessage): Promise<void>;
}

/** Where mail for an address goes to; undefined: the address is another part's. Throws an SmtpReply to refuse it. */
export type FindDestination = (address: string) => Promise<MailDestination | undefined>;

/** Asks one after another. An address that belongs to none of them is on another machine. */
export const firstDestination =
  (finders: readonly FindDestination[]) =>
  async (address: string): Promise<MailDestination> => {
    for (const find of finders) {
      const found = await find(address);
      if (found !== undefined) return found;
    }
    throw new SmtpReply(550, 'We do not relay', '5.7.1');
  };

/** The domain of an address, as it is compared. The SMTP library gives names such as xn--kche-0ra.test in Unicode. */
export function domainOf(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  return domainToASCII(domain) || domain;
}
