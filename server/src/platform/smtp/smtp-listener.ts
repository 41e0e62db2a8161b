/**
 * A server of SMTP (RFC 5321) for mail from strangers: smtp-server, and the rules for strangers.
 *
 * A stranger pays with time, never with our memory: a session has a place among those of its peer and of all, an end
 * whatever it does, and so many wrong recipients; a message is kept up to a size and counted up to another. It relays
 * nothing and offers no AUTH; SMTPUTF8 is not offered, since no address here needs it. Nothing is answered 250
 * before the destination has accepted it.
 */
import type { Socket } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import type { Clock, Timer } from '../clock.ts';
import type { Service } from '../lifecycle.ts';
import type { Log } from '../log.ts';
import { Moment } from '../moments.ts';
import type { Certificate, CertificateSource } from './certificate-files.ts';
import { collectMessage } from './collect-message.ts';
import type { MailDestination } from './mail-destination.ts';
import { SmtpReply } from './smtp-reply.ts';
import { SmtpSessions } from './smtp-sessions.ts';
import { StatusConnection, wireText } from './status-connection.ts';

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
  certificate: CertificateSource | null;
  /** The largest message of all destinations: offered as SIZE. */
  messageBytes: number;
  /** Where mail for this address goes to. Throws an SmtpReply when it is refused. */
  destinationOf(address: string): Promise<MailDestination>;
  limits?: Partial<SmtpLimits>;
}

export interface SmtpLimits {
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

/** Postfix opens 20 sessions to one destination. Ten minutes are enough for 25 MB at 350 kbit/s. */
const LIMITS: SmtpLimits = {
  wrongRecipients: 10,
  sessions: 200,
  sessionsOfPeer: 30,
  idleMs: 60_000,
  sessionMs: 600_000,
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
  let renewing: Timer | undefined;
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
      const tls = (await options.certificate?.read()) ?? null;
      const made = makeServer({ ...options, tls }, limits, sessions, () => moments.sessionEnded.occur());
      // Sockets that break and handshakes that fail are the everyday life of a port on the Internet.
      made.on('error', (error: Error) => log.debug({ err: error, service: name }, 'an SMTP session failed'));
      await listen(made, options);
      const bound = made.server.address();
      port = typeof bound === 'object' && bound !== null ? bound.port : options.port;
      server = made;
      // Sessions that are encrypted stay as they are.
      renewing = options.certificate?.watch((changed) => made.updateSecureContext(changed));
      log.info({ service: name, host: options.host, port }, 'listening for SMTP');
    },
    /** Takes no new session, answers what is in hand, and tells the others 421. */
    async stop() {
      const stopping = server;
      server = undefined;
      renewing?.cancel();
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

/** smtp-server with connections that send our statuses. */
class ListenerServer extends SMTPServer {
  override connect(socket: Socket, options: { id: string; remoteAddress: string }): void {
    const connection = new StatusConnection(this, socket, options);
    this.connections.add(connection);
    connection.on('error', (error: Error) => this.emit('error', error));
    connection.init();
  }
}

/** With the certificate to begin with. */
type ServerOptions = SmtpListenerOptions & { tls: Certificate | null };

function makeServer(
  options: ServerOptions,
  limits: SmtpLimits,
  sessions: SmtpSessions,
  onEnded: () => void,
): SMTPServer {
  return new ListenerServer({
    ...fixedOptions(options, limits),
    onConnect: (session, callback) => {
      try {
        sessions.join(session);
        callback(null);
      } catch (error) {
        callback(asReply(error));
      }
    },
    onMailFrom: (_sender, session, callback) => {
      sessions.beginMessage(session.id);
      callback(null);
    },
    onRcptTo: ({ address }, session, callback) => void answer(callback, judge(address, session, { options, sessions })),
    onData: (stream, session, callback) =>
      void sessions.whileBusy(session.id, async () => {
        const refusal = await take(stream, session, options, sessions).then(() => null, asReply);
        callback(refusal, 'Stored');
      }),
    onClose(session) {
      sessions.leave(session.id);
      onEnded();
    },
  });
}

const answer = async (callback: (refusal: Error | null) => void, refusal: Promise<Error | null>): Promise<void> =>
  callback(await refusal);

/** Why a recipient is refused; null when it is taken. */
async function judge(
  address: string,
  { id, envelope }: SMTPServerSession,
  { options, sessions }: { options: SmtpListenerOptions; sessions: SmtpSessions },
): Promise<Error | null> {
  try {
    await sessions.judgeRecipient(id, () => options.destinationOf(address), envelope.rcptTo.length);
    return null;
  } catch (error) {
    return asReply(reported(options, error));
  }
}

/** Reads one message and gives it on. Throws an SmtpReply, or an error that is answered 451. */
async function take(
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  options: SmtpListenerOptions,
  sessions: SmtpSessions,
): Promise<void> {
  const destination = sessions.destinationOf(session.id);
  if (destination === undefined) throw new SmtpReply(503, 'No recipient', '5.5.1');
  // As the bytes come: a stranger who only says that much will come takes the room of nobody.
  const held = destination.hold?.(0);
  const isFull = destination.hold !== undefined && held === undefined;
  try {
    const raw = await collectMessage(stream, { keepBytes: isFull ? 0 : destination.keepBytes, held });
    if (stream.sizeExceeded) return; // the library answers 552
    if (stream.byteLength > destination.messageBytes) throw new SmtpReply(552, 'The message is too large', '5.3.4');
    if (isFull || raw === undefined) {
      throw new SmtpReply(452, 'Too much mail is being received at this moment, try again shortly', '4.3.1');
    }
    const { mailFrom, rcptTo } = session.envelope;
    await destination.accept({
      from: mailFrom === false ? '' : mailFrom.address,
      to: rcptTo.map((one) => one.address),
      raw,
      address: session.remoteAddress,
      clientName: session.hostNameAppearsAs || null,
    });
  } catch (error) {
    throw reported(options, error);
  } finally {
    held?.release();
  }
}

/** The same error; one that is no reply of ours is logged. */
function reported({ log, name }: SmtpListenerOptions, error: unknown): unknown {
  if (!(error instanceof SmtpReply)) log.warn({ err: error, service: name }, 'mail could not be taken for now');
  return error;
}

function fixedOptions(options: ServerOptions, limits: SmtpLimits): SMTPServerOptions {
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
    size: options.messageBytes,
    rejectOversized: true,
    maxCommandLength: 2_048,
    socketTimeout: limits.idleMs,
    closeTimeout: limits.finishMs,
  };
}

/** The error as the library sends it: its text says the status. */
function asReply(error: unknown): Error & { responseCode: number } {
  const reply = error instanceof SmtpReply ? error : new SmtpReply(451, 'Not taken, try again later', '4.3.0');
  const text = reply.status === undefined ? reply.message : wireText(reply.status, reply.message);
  return Object.assign(new Error(text), { responseCode: reply.responseCode });
}
