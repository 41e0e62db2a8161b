import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { SMTPServerAddress, SMTPServerDataStream, SMTPServerOptions, SMTPServerSession } from 'smtp-server';
import { type Clock, endsWithin, type Timer } from '../clock.ts';
import type { HeldBody } from '../http/body/body-budget.ts';
import type { Log } from '../log.ts';
import { SmtpReply } from './smtp-reply.ts';
import { wireText } from './status-connection.ts';
import type { ConnectionRules, Refusal, SubmissionConnection } from './submission-connection.ts';
import type { SubmissionLimits, SubmissionPeer, SubmissionRules } from './submission-rules.ts';

type Hooks = Required<
  Pick<SMTPServerOptions, 'onAuth' | 'onSecure' | 'onMailFrom' | 'onRcptTo' | 'onData' | 'onClose'>
>;

interface Session<User> {
  peer: { id: string; address: string; tls: string | null; clientName: string | null };
  connection: SubmissionConnection | undefined;
  user: User | undefined;
  wrongPasswords: number;
  refusals: number;
  commands: number;
  /** The room of the message that is being received. */
  held: HeldBody | undefined;
  heldBytes: number;
  /** `taking`: the message is here, and its answer is not. */
  phase: 'idle' | 'receiving' | 'taking';
  deadline: Timer;
  giveBackPlace: () => void;
}

interface Credentials {
  username: string;
  password: string;
}

interface Options<User> {
  name: string;
  log: Log;
  clock: Clock;
  mayAuthInClear(address: string): boolean;
  rules: SubmissionRules<User>;
}

interface Engine {
  connect(socket: Socket, options: { id: string; remoteAddress: string }): SubmissionConnection;
}

/** A client that was told the end gets so long to go. */
const GO_AWAY_MS = 500;
/** So much beyond the largest message is read and thrown away, so that the client reads our refusal. */
const OVERSIZE_FACTOR = 2;

/** Of the extensions that are offered: RFC 1870, RFC 6152 and RFC 4954. */
const MAIL_PARAMETERS = ['SIZE', 'BODY', 'AUTH'];

const signInFirst = (): SmtpReply => new SmtpReply(530, 'Sign in first', '5.7.0');

const noRoom = (): SmtpReply =>
  new SmtpReply(452, 'Too many bytes of messages are being received at this moment, try again shortly', '4.3.1');

/** The sessions of a submission server: who they are, how far they are, and when they must end. */
export class SubmissionSessions<User = unknown> {
  readonly hooks: Hooks;
  readonly connectionRules: ConnectionRules;
  readonly #options: Options<User>;
  readonly #limits: SubmissionLimits;
  readonly #onEnded: () => void;
  readonly #sessions = new Map<string, Session<User>>();
  #allEnded: (() => void) | undefined;
  #stopping = false;

  constructor(options: Options<User>, limits: SubmissionLimits, onEnded: () => void) {
    this.#options = options;
    this.#limits = limits;
    this.#onEnded = onEnded;
    this.connectionRules = {
      mayAuthInClear: options.mayAuthInClear,
      mayCommand: (id) => this.#mayCommand(id),
      beginData: (id) => this.#beginData(id),
      onRefusal: (id, refusal) => this.#refused(id, refusal),
    };
    this.hooks = this.#makeHooks();
  }

  get isStopping(): boolean {
    return this.#stopping;
  }

  begin(engine: Engine, socket: Socket, address: string, giveBackPlace: () => void): void {
    const id = randomBytes(10).toString('hex');
    const session: Session<User> = {
      peer: { id, address, tls: null, clientName: null },
      connection: undefined,
      user: undefined,
      wrongPasswords: 0,
      refusals: 0,
      commands: 0,
      held: undefined,
      heldBytes: 0,
      phase: 'idle',
      deadline: this.#endsAfter(id, this.#limits.signInMs),
      giveBackPlace,
    };
    this.#sessions.set(id, session);
    session.connection = engine.connect(socket, { id, remoteAddress: address });
  }

  /** Ends what waits at once, and what is in hand when it is done, or when the time for it is over. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const ended = new Promise<void>((resolve) => {
      this.#allEnded = resolve;
    });
    for (const [id, { phase }] of this.#sessions) if (phase === 'idle') this.#end(id, '4.3.2', 'Server shutting down');
    if (this.#sessions.size === 0) return;
    if (await endsWithin(this.#options.clock, this.#limits.finishMs, ended)) return;
    for (const id of this.#sessions.keys()) this.#end(id, '4.3.2', 'Server shutting down');
    await endsWithin(this.#options.clock, GO_AWAY_MS * 2, ended);
  }

  #makeHooks(): Hooks {
    return {
      onSecure: (socket, { id }, callback) => {
        const session = this.#sessions.get(id);
        if (session !== undefined && 'getProtocol' in socket) session.peer.tls = socket.getProtocol();
        callback();
      },
      onAuth: ({ username, password }, session, callback) =>
        void this.#answerAuth(session, { username: username ?? '', password: password ?? '' }, callback),
      onMailFrom: ({ address, args }, { id }, callback) =>
        void this.#answer(id, callback, async (user, peer) => {
          refuseUnknown(args, MAIL_PARAMETERS);
          await this.#options.rules.checkSender(user, peer, address);
        }),
      onRcptTo: ({ address, args }, { id }, callback) =>
        void this.#answer(id, callback, async () => {
          refuseUnknown(args, []);
          this.#options.rules.checkRecipient(address);
        }),
      onData: (stream, session, callback) => void this.#answerData(stream, session, callback),
      onClose: ({ id }) => this.#ended(id),
    };
  }

  async #signIn({ id, hostNameAppearsAs }: SMTPServerSession, { username, password }: Credentials): Promise<void> {
    const session = this.#sessions.get(id);
    if (session === undefined) return;
    session.peer.clientName = hostNameAppearsAs;
    try {
      // RFC 4616 §2: there is a name, whatever it is.
      if (username === '') throw new SmtpReply(535, 'The user name is empty: any other will do', '5.7.8');
      session.user = await this.#options.rules.signIn(session.peer, password);
    } catch (error) {
      session.wrongPasswords += 1;
      if (session.wrongPasswords < this.#limits.wrongPasswords) throw error;
      throw new SmtpReply(421, 'Too many attempts to sign in', '4.7.0');
    }
    session.deadline.cancel();
    session.deadline = this.#endsAfter(id, this.#limits.messageMs);
  }

  async #answerAuth(
    session: SMTPServerSession,
    credentials: Credentials,
    callback: Parameters<Hooks['onAuth']>[2],
  ): Promise<void> {
    const outcome = await this.#outcomeOf('signing in', () => this.#signIn(session, credentials));
    if ('refusal' in outcome) callback(outcome.refusal);
    else callback(null, { user: true });
  }

  async #answer(
    id: string,
    callback: (refusal?: Error | null) => void,
    check: (user: User, peer: SubmissionPeer) => Promise<void>,
  ): Promise<void> {
    const outcome = await this.#outcomeOf('a check', async () => {
      const session = this.#sessions.get(id);
      if (session?.user === undefined) throw signInFirst();
      await check(session.user, session.peer);
    });
    callback('refusal' in outcome ? outcome.refusal : null);
  }

  async #answerData(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    callback: Parameters<Hooks['onData']>[2],
  ): Promise<void> {
    const outcome = await this.#outcomeOf('taking a message', () => this.#take(stream, session));
    if ('refusal' in outcome) callback(outcome.refusal);
    else callback(null, wireText('2.0.0', outcome.result));
    this.#messageEnded(session.id, !('refusal' in outcome));
  }

  /** The result of a step, or its refusal as the library sends it. */
  async #outcomeOf<T>(doing: string, step: () => Promise<T>): Promise<{ result: T } | { refusal: Error }> {
    try {
      return { result: await step() };
    } catch (error) {
      return { refusal: this.#asReply(error, doing) };
    }
  }

  #beginData(id: string): SmtpReply | null {
    const session = this.#sessions.get(id);
    if (session?.user === undefined) return signInFirst();
    const from = session.connection?.session.envelope.mailFrom;
    const declared = from === undefined || from === false || from.args === false ? undefined : from.args['SIZE'];
    session.heldBytes = typeof declared === 'string' ? Number(declared) : 0;
    session.held = this.#options.rules.hold(session.user, session.heldBytes);
    if (session.held === undefined) return noRoom();
    session.phase = 'receiving';
    return null;
  }

  async #take(stream: SMTPServerDataStream, { id, envelope }: SMTPServerSession): Promise<string> {
    const session = this.#sessions.get(id);
    if (session?.user === undefined) throw signInFirst();
    const { held, user, peer } = session;
    try {
      const bytes = await this.#receive(stream, session);
      // The library says the same whatever we say.
      if (stream.sizeExceeded) throw new SmtpReply(552, 'The message is larger than 40 MB', '5.3.4');
      session.phase = 'taking';
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
      const to = envelope.rcptTo.map((one) => one.address);
      return await this.#options.rules.accept(user, peer, { from, to, bytes });
    } finally {
      held?.release();
    }
  }

  /** Reads to the end, also what is thrown away: the client listens for an answer only then. */
  async #receive(stream: SMTPServerDataStream, session: Session<User>): Promise<Buffer> {
    const { messageBytes } = this.#limits;
    const chunks: Buffer[] = [];
    let length = 0;
    let refusal: SmtpReply | undefined;
    for await (const chunk of whileConnected(stream)) {
      length += chunk.length;
      if (length > messageBytes * OVERSIZE_FACTOR) session.connection?.send(421, wireText('4.3.4', 'Much too large'));
      if (refusal === undefined && length > session.heldBytes) {
        if (session.held?.grow(length - session.heldBytes) === true) session.heldBytes = length;
        else refusal = noRoom();
      }
      if (refusal === undefined && length <= messageBytes) chunks.push(chunk);
      else chunks.length = 0;
    }
    if (refusal !== undefined) throw refusal;
    return chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks);
  }

  #messageEnded(id: string, wasTaken: boolean): void {
    const session = this.#sessions.get(id);
    if (session === undefined) return;
    session.held = undefined;
    session.phase = 'idle';
    if (wasTaken) {
      session.refusals = 0;
      session.commands = 0;
    }
    session.deadline.cancel();
    session.deadline = this.#endsAfter(id, this.#limits.messageMs);
    if (this.#stopping) this.#end(id, '4.3.2', 'Server shutting down');
  }

  #mayCommand(id: string): boolean {
    const session = this.#sessions.get(id);
    if (session === undefined) return true;
    session.commands += 1;
    if (session.commands === this.#limits.commands + 1) this.#end(id, '4.7.0', 'Too many commands without a message');
    return session.commands <= this.#limits.commands;
  }

  #refused(id: string, refusal: Refusal): void {
    const session = this.#sessions.get(id);
    if (session === undefined) return;
    session.refusals += 1;
    if (session.user !== undefined) this.#options.rules.onRefusal(session.user, session.peer, refusal);
    // After the reply that is being sent.
    if (session.refusals >= this.#limits.refusals) setImmediate(() => this.#end(id, '4.7.0', 'Too many errors'));
  }

  /** A byte now and then, or commands without number, make no session longer. */
  #endsAfter(id: string, ms: number): Timer {
    return this.#options.clock.timer(ms, () => {
      const session = this.#sessions.get(id);
      if (session === undefined) return;
      if (session.phase === 'taking') session.deadline = this.#endsAfter(id, ms);
      else this.#end(id, '4.4.2', 'The session took too long');
    });
  }

  #end(id: string, status: string, reason: string): void {
    const connection = this.#sessions.get(id)?.connection;
    if (connection === undefined) return;
    connection.send(421, wireText(status, reason));
    this.#options.clock.timer(GO_AWAY_MS, () => {
      if (!connection._upgrading) connection._socket.destroy();
    });
  }

  #ended(id: string): void {
    const session = this.#sessions.get(id);
    if (session === undefined) return;
    this.#sessions.delete(id);
    session.deadline.cancel();
    session.giveBackPlace();
    this.#options.rules.onEnded(session.peer);
    this.#onEnded();
    if (this.#sessions.size === 0) this.#allEnded?.();
  }

  /** An error as the library sends it. */
  #asReply(error: unknown, doing: string): Error & { responseCode: number } {
    if (!(error instanceof SmtpReply))
      this.#options.log.warn({ err: error, service: this.#options.name }, `${doing} failed`);
    const reply = error instanceof SmtpReply ? error : new SmtpReply(451, 'Not taken, try again later', '4.3.0');
    const text = reply.status === undefined ? reply.message : wireText(reply.status, reply.message);
    return Object.assign(new Error(text), { responseCode: reply.responseCode });
  }
}

/** The bytes of a message; the end of the connection is an everyday refusal that nobody hears. */
async function* whileConnected(stream: SMTPServerDataStream): AsyncGenerator<Buffer> {
  try {
    // Bytes: nobody gave the stream an encoding.
    yield* stream as AsyncIterable<Buffer>;
  } catch {
    throw new SmtpReply(451, 'The connection ended before the message', '4.4.2');
  }
}

function refuseUnknown(args: SMTPServerAddress['args'], known: readonly string[]): void {
  const unknown = args === false ? undefined : Object.keys(args).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new SmtpReply(555, 'A parameter of this command is not known here', '5.5.4');
}
