/**
 * Where in the dialogue something failed. `connect` is everything up to a session that can send (DNS, TCP, TLS,
 * greeting, EHLO); `body` is from the 354 to the reply after the final dot.
 */
export type Stage = 'connect' | 'auth' | 'mail' | 'rcpt' | 'data' | 'body';

interface Facts {
  stage: Stage;
  /** The server's reply, or what happened instead of one. */
  response: string;
  /** True when `response` is a reply of the server. */
  replied: boolean;
  /** True when the last byte of the message had been handed to the connection. */
  allSent?: boolean;
  /** True when the connection was lost rather than a command refused. */
  lost?: boolean;
  /** True when the connection stood and could not be encrypted. */
  unencrypted?: boolean;
  /** Every recipient was refused, each with its own reply. */
  refusals?: string[];
  /** This message can never pass, whatever the server: it was not offered. */
  impossible?: boolean;
  /** The gate closed between the envelope and the message. */
  withdrawn?: boolean;
  /** No connection came free in time. */
  isBusy?: boolean;
}

/** Why a message was not taken over, or is not known to be. */
export class SmtpFailure extends Error {
  readonly stage: Stage;
  readonly response: string;
  readonly replied: boolean;
  readonly allSent: boolean;
  readonly lost: boolean;
  readonly unencrypted: boolean;
  readonly refusals: readonly string[];
  readonly impossible: boolean;
  readonly withdrawn: boolean;
  readonly isBusy: boolean;

  constructor(facts: Facts) {
    super(facts.response);
    this.stage = facts.stage;
    this.response = facts.response;
    this.replied = facts.replied;
    this.allSent = facts.allSent ?? false;
    this.lost = facts.lost ?? false;
    this.unencrypted = facts.unencrypted ?? false;
    this.refusals = facts.refusals ?? [];
    this.impossible = facts.impossible ?? false;
    this.withdrawn = facts.withdrawn ?? false;
    this.isBusy = facts.isBusy ?? false;
  }
}
