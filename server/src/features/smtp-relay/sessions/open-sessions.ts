import { createFloodGuard, type FloodGuard } from '#features/request-log';
import type { Clock } from '#platform/clock.ts';
import { storableText } from '#platform/db/storable-text.ts';
import { newId } from '#platform/ids.ts';
import type { SubmissionPeer } from '#platform/smtp/submission-rules.ts';
import type { SessionEntry } from './session-entry.ts';

export interface KeyOfSession {
  readonly id: string;
  readonly name: string;
  readonly workspaceId: string;
}

export interface OpenSession {
  entry: SessionEntry;
  /** It waits to be written already. */
  waits: boolean;
}

const NAME_CHARS_MAX = 200;

/** The entries of sessions that have not ended. */
export class OpenSessions {
  readonly #clock: Clock;
  readonly #guard: FloodGuard;
  /** By session, and in it by key: somebody may try several. null: the workspace has too many to keep this one. */
  readonly #known = new Map<string, Map<string, OpenSession | null>>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#guard = createFloodGuard(clock);
  }

  /** The entry of a session; null: it is not kept. */
  of(key: KeyOfSession, peer: SubmissionPeer, failed: boolean): OpenSession | null {
    const ofSession = this.#known.get(peer.id) ?? new Map<string, OpenSession | null>();
    this.#known.set(peer.id, ofSession);
    const found = ofSession.get(key.id);
    if (found !== undefined) return found;
    const isKept = this.#guard.admits(key.workspaceId, failed);
    const made = isKept ? { entry: entryOf(key, peer, this.#clock.now()), waits: false } : null;
    ofSession.set(key.id, made);
    return made;
  }

  /** The entry of a session that has signed in. null: there is no room for it now, and a refusal asks again. */
  begin(key: KeyOfSession, peer: SubmissionPeer): OpenSession | null {
    const one = this.of(key, peer, false);
    if (one === null) this.#known.get(peer.id)?.delete(key.id);
    return one;
  }

  /** Forgets a session, and returns its entries. */
  end(peerId: string): OpenSession[] {
    const entries = [...(this.#known.get(peerId)?.values() ?? [])];
    this.#known.delete(peerId);
    return entries.filter((one) => one !== null);
  }
}

const entryOf = (key: KeyOfSession, peer: SubmissionPeer, now: Date): SessionEntry => ({
  workspaceId: key.workspaceId,
  id: newId(),
  startedAt: now,
  endedAt: null,
  ip: peer.address,
  tls: peer.tls,
  clientName: peer.clientName === null ? null : storableText(peer.clientName.slice(0, NAME_CHARS_MAX)),
  apiKeyId: key.id,
  apiKeyName: key.name,
  accepted: 0,
  refused: 0,
  refusals: [],
  jobIds: [],
});
