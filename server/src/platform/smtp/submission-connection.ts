import type { Socket } from 'node:net';
import type { SMTPServer } from 'smtp-server';
import type { SmtpReply } from './smtp-reply.ts';
import { StatusConnection, statusIn, wireText } from './status-connection.ts';

/** The command that a reply answers, of those that are told. */
export type SubmissionStage = 'AUTH' | 'MAIL' | 'RCPT' | 'DATA';

export interface Refusal {
  stage: SubmissionStage;
  code: number;
  /** Of RFC 3463. */
  status: string;
  text: string;
}

export interface ConnectionRules {
  /** Whether a password may be asked for on a connection without TLS from this address. */
  mayAuthInClear(address: string): boolean;
  /** Told of every command; false: there were too many, and the session is being ended. */
  mayCommand(id: string): boolean;
  /** Asked before the first byte of a message: why it cannot be received now, or null. */
  beginData(id: string): SmtpReply | null;
  /** Sees every refusal of a command, before it is sent. */
  onRefusal(id: string, refusal: Refusal): void;
}

const textOf = ({ status, message }: SmtpReply): string => (status === undefined ? message : wireText(status, message));

/**
 * A connection of smtp-server with our rules around it: replies carry the status that their author gave them, AUTH is
 * offered and taken on TLS only (or where the rules let a password pass in clear), and every refusal is told.
 */
export class SubmissionConnection extends StatusConnection {
  readonly #rules: ConnectionRules;
  #stage: SubmissionStage | undefined;

  constructor(
    server: SMTPServer,
    socket: Socket,
    options: { id: string; remoteAddress: string },
    rules: ConnectionRules,
  ) {
    super(server, socket, options);
    this.#rules = rules;
  }

  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    if (Array.isArray(data)) return super.send(code, this.#offered(data), context);
    const { status, text } = statusIn(data);
    if (code >= 400 && this.#stage !== undefined) {
      const shown = status ?? this._getEnhancedStatusCode(code, context);
      this.#rules.onRefusal(this.id, { stage: this.#stage, code, status: shown, text });
    }
    super.send(code, data, context);
  }

  override _onCommand(command: Buffer, callback?: () => void): void {
    // A line that goes on with AUTH is answered as AUTH is; any other begins a stage, or none that is told.
    if (this._nextHandler === false) this.#stage = undefined;
    if (this.#rules.mayCommand(this.id)) super._onCommand(command, callback);
  }

  override handler_AUTH(command: Buffer, callback: () => void): void {
    this.#stage = 'AUTH';
    if (this.secure || this.#rules.mayAuthInClear(this.remoteAddress)) return super.handler_AUTH(command, callback);
    this.send(538, wireText('5.7.11', 'Use STARTTLS first: a password is not taken without encryption'));
    callback();
  }

  override handler_MAIL(command: Buffer, callback: () => void): void {
    this.#stage = 'MAIL';
    super.handler_MAIL(command, callback);
  }

  override handler_RCPT(command: Buffer, callback: () => void): void {
    this.#stage = 'RCPT';
    super.handler_RCPT(command, callback);
  }

  override handler_DATA(command: Buffer, callback: () => void): void {
    this.#stage = 'DATA';
    const refusal = this.session.envelope.rcptTo.length === 0 ? null : this.#rules.beginData(this.id);
    if (refusal === null) return super.handler_DATA(command, callback);
    this.send(refusal.responseCode, textOf(refusal));
    callback();
  }

  /** The extensions of EHLO: AUTH only where it would be taken. */
  #offered(lines: string[]): string[] {
    if (this.secure || this.#rules.mayAuthInClear(this.remoteAddress)) return lines;
    return lines.filter((line) => !line.startsWith('AUTH '));
  }
}
