import type { SMTPServerSession } from 'smtp-server';
import type { Clock, Timer } from '../clock.ts';
import { ConnectionPlaces, type PlacesMax } from './connection-places.ts';
import type { MailDestination } from './mail-destination.ts';
import { SmtpReply } from './smtp-reply.ts';

export interface SessionLimits extends PlacesMax {
  /** Refused in one session before it is ended. */
  wrongRecipients: number;
  /** Of a whole session. */
  sessionMs: number;
}

interface Session {
  giveBackPlace: () => void;
  wrong: number;
  /** Of the recipients of the message that is being given. */
  destination: MailDestination | undefined;
  /** A message is being received or taken. */
  busy: boolean;
  timer: Timer;
  /** Sends the reason and ends the session. A second call does nothing. */
  end(reason: string): void;
}

interface Connection {
  send(code: number, text: string): void;
}

/** The open sessions of a listener, and their places among those of their peer and of all. */
export class SmtpSessions {
  readonly #clock: Clock;
  readonly #limits: SessionLimits;
  readonly #connectionOf: (id: string) => Connection | undefined;
  readonly #places: ConnectionPlaces;
  readonly #sessions = new Map<string, Session>();

  constructor(clock: Clock, limits: SessionLimits, connectionOf: (id: string) => Connection | undefined) {
    this.#clock = clock;
    this.#limits = limits;
    this.#connectionOf = connectionOf;
    this.#places = new ConnectionPlaces(limits);
  }

  /** Throws an SmtpReply when there is no place left. */
  join({ id, remoteAddress }: SMTPServerSession): void {
    const giveBackPlace = this.#places.take(remoteAddress);
    if (giveBackPlace === undefined) throw new SmtpReply(421, 'Too many connections, try again later');
    const connection = this.#connectionOf(id);
    const end = (reason: string): void => connection?.send(421, reason);
    // Neither a byte now and then nor commands without number make a session longer.
    const timer = this.#clock.timer(this.#limits.sessionMs, () => end('The session took too long'));
    this.#sessions.set(id, { giveBackPlace, wrong: 0, destination: undefined, busy: false, timer, end });
  }

  leave(id: string): void {
    const session = this.#sessions.get(id);
    session?.timer.cancel();
    session?.giveBackPlace();
    this.#sessions.delete(id);
  }

  beginMessage(id: string): void {
    const session = this.#sessions.get(id);
    if (session !== undefined) session.destination = undefined;
  }

  /** Undefined: no recipient was taken. */
  destinationOf(id: string): MailDestination | undefined {
    return this.#sessions.get(id)?.destination;
  }

  /**
   * Takes a recipient beside `others`. Throws when it is refused; after too many refusals in one session the refusal
   * ends it.
   */
  async judgeRecipient(id: string, find: () => Promise<MailDestination>, others: number): Promise<void> {
    const session = this.#sessions.get(id);
    try {
      const found = await find();
      if (session === undefined) return;
      const { destination = found } = session;
      if (destination.key !== found.key) throw new SmtpReply(452, 'One domain at a time, give this one later', '4.5.3');
      if (others >= found.recipientsMax) throw new SmtpReply(452, 'Too many recipients', '4.5.3');
      session.destination = found;
    } catch (error) {
      const isWrong = error instanceof SmtpReply && error.responseCode >= 500;
      if (session !== undefined && isWrong && ++session.wrong >= this.#limits.wrongRecipients) {
        throw new SmtpReply(421, 'Too many unknown recipients', '4.7.0');
      }
      throw error;
    }
  }

  /** While `work` runs, `endIdle` leaves the session alone. */
  async whileBusy(id: string, work: () => Promise<void>): Promise<void> {
    const session = this.#sessions.get(id);
    if (session !== undefined) session.busy = true;
    await work();
    if (session !== undefined) session.busy = false;
  }

  endIdle(reason: string): void {
    for (const session of this.#sessions.values()) if (!session.busy) session.end(reason);
  }
}
