import { isAscii } from 'node:buffer';
import SMTPConnection, { type SMTPConnectionSendInfo } from 'nodemailer/lib/smtp-connection';
import type { Clock } from '#platform/clock.ts';
import type { OutgoingMessage } from '../email-provider.ts';
import { replyCode } from './judge-reply.ts';
import { MessageSource } from './message-source.ts';
import { SmtpFailure, type Stage } from './smtp-failure.ts';
import type { SmtpSettings } from './smtp-settings.ts';
import { ownEntry } from '#platform/own-entry.ts';

// From the first packet to a session that can send. Shorter than the time a hand-off gets, so that a server that
// swallows packets is told apart from one that is slow with a message.
const OPEN_TIMEOUT_MS = 20_000;
const RESET_TIMEOUT_MS = 5_000;
const QUIT_TIMEOUT_MS = 1_000;
// A reply is a line or a few; a server that goes on and on is not one.
const REPLY_BYTES_MAX = 65_536;

export interface SessionOptions {
  settings: SmtpSettings;
  clock: Clock;
  /** Certificates to believe besides the system's; PEM. */
  ca?: string | Buffer;
}

type NodemailerError = NonNullable<Parameters<Parameters<SMTPConnection['send']>[2]>[0]>;

/** One connection to the server that is ready to take messages, one after the other. */
export class SmtpSession {
  /** Messages offered over it so far. */
  messages = 0;
  idleSinceMs = 0;
  /** The connection is gone or out of step: it must not carry another message. */
  dead = false;
  /** Called once when the connection ends by itself. */
  onEnd: () => void = () => undefined;
  readonly #connection: SMTPConnection;
  readonly #clock: Clock;
  readonly #takes8Bit: boolean;

  private constructor(connection: SMTPConnection, clock: Clock, takes8Bit: boolean) {
    this.#connection = connection;
    this.#clock = clock;
    this.#takes8Bit = takes8Bit;
    connection.on('end', () => {
      if (this.dead) return;
      this.dead = true;
      this.onEnd();
    });
  }

  /** Connects, encrypts and signs in. Rejects with SmtpFailure; `cancelled` ends the attempt. */
  static open(options: SessionOptions, cancelled: AbortSignal): Promise<SmtpSession> {
    const { settings } = options;
    const connection = new SMTPConnection({
      host: settings.host,
      port: settings.port,
      secure: settings.tls === 'implicit',
      requireTLS: settings.tls === 'starttls',
      ignoreTLS: settings.tls === 'none',
      opportunisticTLS: settings.tls === 'auto',
      tls: { rejectUnauthorized: settings.tls !== 'auto', ...(options.ca === undefined ? {} : { ca: options.ca }) },
      ...(settings.ehloName === null ? {} : { name: settings.ehloName }),
      connectionTimeout: OPEN_TIMEOUT_MS,
      greetingTimeout: OPEN_TIMEOUT_MS,
      dnsTimeout: OPEN_TIMEOUT_MS,
      // Closing is ours to decide: a connection that we give up is destroyed at once, nothing lingers.
      socketCloseTimeout: 0,
      maxResponseSize: REPLY_BYTES_MAX,
      allowInternalNetworkInterfaces: true,
      logger: false,
    });
    return new Promise((resolve, reject) => {
      let stage: Stage = 'connect';
      let takes8Bit = false;
      const fail = (reason: string, replied = false, unencrypted = false): void => {
        clearTimeout(timer);
        cancelled.removeEventListener('abort', abort);
        connection.close();
        reject(new SmtpFailure({ stage, response: reason, replied, lost: true, unencrypted }));
      };
      const failed = (error: NodemailerError): void =>
        fail(error.response ?? error.message, error.response !== undefined, error.code === 'ETLS');
      const abort = (): void => fail('the connection attempt was given up');
      const timer = setTimeout(() => fail(`no session within ${OPEN_TIMEOUT_MS / 1000} s`), OPEN_TIMEOUT_MS);
      cancelled.addEventListener('abort', abort);
      // Stays for the life of the connection: an error on an idle one is also an 'end', which the session hears.
      connection.on('error', failed);
      const ready = (): void => {
        clearTimeout(timer);
        cancelled.removeEventListener('abort', abort);
        resolve(new SmtpSession(connection, options.clock, takes8Bit));
      };
      connection.connect((error) => {
        if (error) return failed(error);
        // The last reply so far is the one to EHLO, behind STARTTLS the second one.
        takes8Bit = /^250[ -]8BITMIME\b/im.test(String(connection.lastServerResponse));
        if (settings.auth === null) return ready();
        stage = 'auth';
        if (settings.tls === 'auto' && !connection.secure)
          return fail('the server offers no TLS, and credentials are not sent unencrypted (tls=none would allow it)');
        if (!connection.allowsAuth) return fail('credentials are configured, but the server offers no authentication');
        connection.login({ ...settings.auth }, (loginError) => (loginError ? failed(loginError) : ready()));
      });
    });
  }

  /** Whether what is said over it is encrypted. */
  get secure(): boolean {
    return this.#connection.secure;
  }

  /**
   * Offers one message. Rejects with SmtpFailure. At `untilMs` (monotonic) the connection is destroyed. `isOnRecord` is
   * asked while the server reads the envelope; the message waits for it.
   */
  deliver(
    message: OutgoingMessage,
    untilMs: number,
    isOnRecord: () => Promise<boolean> = async () => true,
  ): Promise<SMTPConnectionSendInfo> {
    this.messages += 1;
    const leftMs = untilMs - this.#clock.monotonicMs();
    if (leftMs <= 0)
      return Promise.reject(
        new SmtpFailure({ stage: 'mail', response: 'the deadline passed before the hand-off began', replied: false }),
      );
    const use8BitMime = !isAscii(message.mime);
    // RFC 6152 §3: a message in 7 bits would be another one, and its signatures would be broken.
    if (use8BitMime && !this.#takes8Bit) return Promise.reject(new SmtpFailure(NO_8BITMIME));
    let recorded: Promise<boolean> | undefined;
    // The clock is read last, right before the first byte: a process that was frozen must not begin late.
    const source = new MessageSource(
      message.mime,
      async () => {
        if (!(await recorded)) return NOT_ON_RECORD;
        return this.#clock.monotonicMs() < untilMs ? null : 'the deadline passed before the message began';
      },
      () => this.#connection._socket || undefined,
    );
    const { from, to } = message.envelope;
    const envelope = { from, to, size: message.mime.length, use8BitMime };
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.destroy();
        reject(failureOf(new Error(`no answer within the deadline`), source));
      }, leftMs);
      this.#connection.send(envelope, source, (error, info) => {
        clearTimeout(timer);
        // Between the 354 and the final dot the server reads everything as message: no way back to commands.
        if (!source.allSent && (source.started || error?.code === 'ESTREAM')) this.destroy();
        if (error) return reject(failureOf(error, source));
        const code = replyCode(info.response);
        if (code !== null && code < 300 && source.allSent) return resolve(info);
        this.destroy();
        reject(new SmtpFailure({ stage: 'body', response: info.response, replied: true, allSent: true }));
      });
      // The envelope is with the socket by now, so what is on record has begun.
      recorded = isOnRecord();
    });
  }

  /** Clears a refused envelope, so that the next message starts clean. False: the session is of no more use. */
  reset(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => done(false), RESET_TIMEOUT_MS);
      const done = (usable: boolean): void => {
        clearTimeout(timer);
        this.#connection.off('end', ended);
        resolve(usable && !this.dead);
      };
      const ended = (): void => done(false);
      this.#connection.once('end', ended);
      this.#connection.reset((error) => done(error === null));
    });
  }

  /** Says QUIT and leaves; resolves when the connection is gone, at most a second later. */
  quit(): Promise<void> {
    if (this.dead) return Promise.resolve();
    this.dead = true;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#connection.close(), QUIT_TIMEOUT_MS);
      this.#connection.once('end', () => {
        clearTimeout(timer);
        resolve();
      });
      this.#connection.quit();
    });
  }

  /** Ends the connection on the spot; what was written but not sent is dropped. */
  destroy(): void {
    this.dead = true;
    this.#connection.close();
  }
}

/** About this message, and not about the server: mail in 7 bits goes on. */
const NO_8BITMIME = {
  stage: 'mail',
  response: 'The message has 8-bit text, and the mail server does not offer 8BITMIME.',
  replied: false,
  impossible: true,
} as const;

const NOT_ON_RECORD = 'the hand-off could not be put on record';

const STAGES: Record<string, Stage> = { 'MAIL FROM': 'mail', 'RCPT TO': 'rcpt', DATA: 'data' };

function failureOf(error: NodemailerError, source: MessageSource): SmtpFailure {
  const response = error.response ?? error.message;
  const replied = error.response !== undefined;
  const withdrawn = !replied && response === NOT_ON_RECORD;
  const facts = { response, replied, allSent: source.allSent, withdrawn };
  if (source.started) return new SmtpFailure({ ...facts, stage: 'body', lost: error.code !== 'EMESSAGE' });
  if (error.rejectedErrors !== undefined) {
    const refusals = error.rejectedErrors.map((refusal) => refusal.response ?? refusal.message);
    return new SmtpFailure({ ...facts, stage: 'rcpt', refusals });
  }
  // Found wrong before anything was said: larger than the server announced to take, or no address at all.
  const impossible = !replied && (error.code === 'EMESSAGE' || error.code === 'EENVELOPE');
  const stage = ownEntry(STAGES, error.command ?? '') ?? 'connect';
  const refused = error.code === 'EENVELOPE' || error.code === 'EMESSAGE' || error.code === 'ESTREAM';
  return new SmtpFailure({ ...facts, stage, impossible, lost: !refused });
}
