/**
 * A server of SMTP (RFC 5321) for what comes from strangers: smtp-server, and what a stranger may not do.
 *
 * Who talks to it pays with time, never with our memory: a session has a place among those of its peer and of all, an
 * end whatever it does, and so many wrong recipients; a message is kept up to a size and counted up to another. It
 * relays nothing and offers no AUTH; SMTPUTF8 is not offered, since no address here needs it. Nothing is answered 250
 * before `accept` has returned.
 */
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import type { Clock } from '../clock.ts';
import type { Service } from '../lifecycle.ts';
import type { Log } from '../log.ts';
import { Moment } from '../moments.ts';
import { collectMessage } from './collect-message.ts';
import { SmtpReply } from './smtp-reply.ts';
import { SmtpSessions } from './smtp-sessions.ts';

export interface ReceivedMessage {
  /** Bare address; empty for the null sender. */
  from: string;
  to: readonly string[];
  /** As it came, without the dots of the transfer; its first `keepBytesMax`. */
  raw: Buffer;
  /** Of the other side. */
  address: string;
}

export interface SmtpListenerOptions {
  name: string;
  log: Log;
  clock: Clock;
  /** Address to bind to. */
  host: string;
  /** 0: any free one. */
  port: number;
  /** The name in its greeting. */
  hostname: string;
  /** For STARTTLS; null: not offered. The library's own key is public and is never used. */
  tls: { key: string; cert: string } | null;
  /** Throws an SmtpReply when mail for this address is refused. */
  checkRecipient(address: string): void;
  /** Takes responsibility: 250 follows. Throws an SmtpReply; anything else is answered 451, so that it comes again. */
  accept(message: ReceivedMessage): Promise<void>;
  limits?: Partial<SmtpLimits>;
}

export interface SmtpLimits {
  /** A longer message is refused. */
  messageBytes: number;
  /** Of each message so much is kept and given on. */
  keepBytes: number;
  recipients: number;
  /** Refused in one session before it is ended. */
  wrongRecipients: number;
  sessions: number;
  /** Of one IP address (IPv6: of one /64). */
  sessionsOfPeer: number;
  idleMs: number;
  /** Of a whole session. */
  sessionMs: number;
  /** The time that sessions get to finish when it stops. */
  finishMs: number;
}

/** 200 sessions hold 50 MB at most. Postfix opens 20 to one destination. */
const LIMITS: SmtpLimits = {
  messageBytes: 10 * 1_024 * 1_024,
  keepBytes: 256 * 1_024,
  recipients: 10,
  wrongRecipients: 10,
  sessions: 200,
  sessionsOfPeer: 30,
  idleMs: 60_000,
  sessionMs: 300_000,
  finishMs: 2_000,
};

export interface SmtpListener extends Service {
  /** Where it listens; 0 before it starts. */
  readonly port: number;
  readonly moments: { sessionEnded: Moment };
}

export function createSmtpListener(options: SmtpListenerOptions): SmtpListener {
  const { name, log, clock } = options;
  const limits = { ...LIMITS, ...options.limits };
  const moments = { sessionEnded: new Moment() };
  let server: SMTPServer | undefined;
  let port = 0;
  const sessions = new SmtpSessions(clock, limits, (id) =>
    [...(server?.connections ?? [])].find((connection) => connection.id === id),
  );
  return {
    name,
    moments,
    get port() {
      return port;
    },
    async start() {
      if (server !== undefined) return;
      const made = makeServer(options, limits, sessions, () => moments.sessionEnded.occur());
      // Sockets that break and handshakes that fail are the everyday life of a port on the Internet.
      made.on('error', (error: Error) => log.debug({ err: error, service: name }, 'an SMTP session failed'));
      await listen(made, options);
      const bound = made.server.address();
      port = typeof bound === 'object' && bound !== null ? bound.port : options.port;
      server = made;
      log.info({ service: name, host: options.host, port }, 'listening for SMTP');
    },
    /** Takes no new session, answers what is in hand, and tells the others 421. */
    async stop() {
      const stopping = server;
      server = undefined;
      if (stopping === undefined) return;
      const closed = new Promise<void>((resolve) => stopping.close(() => resolve()));
      sessions.endIdle('Shutting down');
      await closed;
    },
  };
}

function listen(server: SMTPServer, { port, host }: SmtpListenerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, host, () => {
      server.server.off('error', reject);
      resolve();
    });
  });
}

function makeServer(
  options: SmtpListenerOptions,
  limits: SmtpLimits,
  sessions: SmtpSessions,
  onEnded: () => void,
): SMTPServer {
  return new SMTPServer({
    ...fixedOptions(options, limits),
    onConnect: (session, callback) => callback(refusalOf(() => sessions.join(session))),
    onRcptTo: ({ address }, session, callback) =>
      callback(refusalOf(() => sessions.judgeRecipient(session.id, () => options.checkRecipient(address)))),
    onData: (stream, session, callback) =>
      void sessions.whileBusy(session.id, async () => {
        const refusal = await take(stream, session, options, limits).then(() => null, asReply);
        callback(refusal, 'Stored');
      }),
    onClose(session) {
      sessions.leave(session.id);
      onEnded();
    },
  });
}

/** Reads one message and gives it on. Throws an SmtpReply, or an error that is answered 451. */
async function take(
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  { name, log, accept }: SmtpListenerOptions,
  { keepBytes }: SmtpLimits,
): Promise<void> {
  const raw = await collectMessage(stream, keepBytes);
  if (stream.sizeExceeded) return; // the library answers 552
  const { mailFrom, rcptTo } = session.envelope;
  try {
    await accept({
      from: mailFrom === false ? '' : mailFrom.address,
      to: rcptTo.map((one) => one.address),
      raw,
      address: session.remoteAddress,
    });
  } catch (error) {
    if (!(error instanceof SmtpReply)) log.warn({ err: error, service: name }, 'mail could not be taken for now');
    throw error;
  }
}

function fixedOptions(options: SmtpListenerOptions, limits: SmtpLimits): SMTPServerOptions {
  return {
    name: options.hostname,
    logger: false,
    disabledCommands: [
      'AUTH',
      'XCLIENT',
      'XFORWARD',
      'WIZ',
      'SHELL',
      'KILL',
      ...(options.tls === null ? ['STARTTLS'] : []),
    ],
    ...(options.tls === null ? {} : { ...options.tls, minVersion: 'TLSv1.2' as const }),
    hideSMTPUTF8: true,
    hideENHANCEDSTATUSCODES: false,
    // A name from a stranger's DNS is nothing that we need, and asking for it takes time.
    disableReverseLookup: true,
    size: limits.messageBytes,
    rejectOversized: true,
    maxRecipients: limits.recipients,
    maxCommandLength: 2_048,
    socketTimeout: limits.idleMs,
    closeTimeout: limits.finishMs,
  };
}

function refusalOf(check: () => void): Error | null {
  try {
    check();
    return null;
  } catch (error) {
    return asReply(error);
  }
}

const asReply = (error: unknown): SmtpReply =>
  error instanceof SmtpReply ? error : new SmtpReply(451, 'Not taken, try again later');
