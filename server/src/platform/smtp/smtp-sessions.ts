import type { SMTPServerSession } from 'smtp-server';
import type { Clock, Timer } from '../clock.ts';
import { ConnectionPlaces, type PlacesMax } from './connection-places.ts';
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
    this.#sessions.set(id, { giveBackPlace, wrong: 0, busy: false, timer, end });
  }

  leave(id: string): void {
    const session = this.#sessions.get(id);
    session?.timer.cancel();
    session?.giveBackPlace();
    this.#sessions.delete(id);
  }

  /** Runs `check`; after too many refusals in one session the refusal ends it. */
  judgeRecipient(id: string, check: () => void): void {
    const session = this.#sessions.get(id);
    try {
      check();
    } catch (error) {
      if (session !== undefined && ++session.wrong >= this.#limits.wrongRecipients) {
        throw new SmtpReply(421, 'Too many unknown recipients');
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
