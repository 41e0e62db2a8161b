import { ApiError } from '../api-error.ts';

export type SaveState =
  | { kind: 'saved' | 'unsaved' | 'saving' | 'conflict' }
  /** The server cannot be reached: the text is kept in this browser, and saving is tried again. */
  | { kind: 'offline' | 'refused'; error: ApiError };

/** A draft as the server has it. */
export interface Saved<D> {
  draft: D;
  etag: string;
}

export interface AutosaveParts<D> {
  etag: string;
  /** The draft of the version with this ETag, where it is known. */
  base?: D | undefined;
  /** Answers the new ETag, or throws an `ApiError`. */
  save(draft: D, etag: string): Promise<string>;
  /** Asks for the version that the server has now. */
  read(): Promise<Saved<D>>;
  isSame(a: D, b: D): boolean;
  /** Keeps the draft in this browser until it is saved; null: it is saved. */
  keep(draft: D | null, etag: string): void;
  waitMs?: number;
}

const WAIT_MS = 800;
const AGAIN_MS = 4_000;
/** More may be written while the text before it is saved. */
const SETTLE_TRIES = 3;

/**
 * Saves what is typed a moment after the last key, one request at a time, and never over somebody else's change. A
 * version is nobody else's when its text is one of ours: the answer to a save was lost, or another field has changed.
 */
export class Autosave<D> {
  readonly #parts: AutosaveParts<D>;
  readonly #listeners = new Set<() => void>();
  /** Texts that the server may have and that are not somebody else's: the last saved, and those without an answer. */
  #ours: D[];
  #etag: string;
  #draft: D | undefined;
  #state: SaveState = { kind: 'saved' };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | undefined;

  constructor(parts: AutosaveParts<D>) {
    this.#parts = parts;
    this.#etag = parts.etag;
    this.#ours = parts.base === undefined ? [] : [parts.base];
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly state = (): SaveState => this.#state;

  change(draft: D): void {
    this.#draft = draft;
    this.#parts.keep(draft, this.#etag);
    if (this.#state.kind === 'conflict') return;
    if (this.#running === undefined) this.#set({ kind: 'unsaved' });
    this.#later(this.#parts.waitMs ?? WAIT_MS);
  }

  /** Saves now. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#running !== undefined) await this.#running;
    if (this.#draft === undefined || this.#state.kind === 'conflict') return;
    this.#running = this.#save(this.#draft);
    await this.#running;
  }

  /** Saves what is not saved yet, and answers the ETag of all that was written. Throws an `ApiError` when it cannot. */
  async settle(): Promise<string> {
    for (let tries = 0; this.#state.kind !== 'saved' && tries < SETTLE_TRIES; tries += 1) await this.flush();
    const state = this.#state;
    if (state.kind === 'saved') return this.#etag;
    throw 'error' in state ? state.error : new ApiError('answer', 409, 'The text is not saved.');
  }

  /** After a conflict: this draft stands, over the version with this ETag. */
  async insist(draft: D, etag: string): Promise<void> {
    this.#etag = etag;
    this.#ours = [];
    this.#draft = draft;
    this.#set({ kind: 'unsaved' });
    await this.flush();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  async #save(draft: D): Promise<void> {
    this.#set({ kind: 'saving' });
    try {
      this.#etag = await this.#saveOverOurs(draft);
      this.#ours = [draft];
      this.#running = undefined;
      if (this.#draft === draft) {
        this.#draft = undefined;
        this.#parts.keep(null, this.#etag);
        this.#set({ kind: 'saved' });
      } else {
        if (this.#draft !== undefined) this.#parts.keep(this.#draft, this.#etag);
        this.#set({ kind: 'unsaved' });
        this.#later(this.#parts.waitMs ?? WAIT_MS);
      }
    } catch (thrown) {
      this.#running = undefined;
      const error = thrown instanceof ApiError ? thrown : new ApiError('network', 0, String(thrown));
      if (error.status === 409) return this.#set({ kind: 'conflict' });
      const mayPass = error.kind === 'network' || error.status >= 500 || error.status === 429;
      // The server may have stored it all the same.
      if (mayPass) this.#ours.push(draft);
      this.#set({ kind: mayPass ? 'offline' : 'refused', error });
      if (mayPass) this.#later((error.retryAfterSeconds ?? 0) * 1000 || AGAIN_MS);
    }
  }

  /** Answers the new ETag. A refusal because of a version that is ours after all is followed by one more save. */
  async #saveOverOurs(draft: D): Promise<string> {
    const { save, read, isSame } = this.#parts;
    try {
      return await save(draft, this.#etag);
    } catch (refusal) {
      if (!(refusal instanceof ApiError) || refusal.status !== 409) throw refusal;
      const now = await read().catch(() => undefined); // unknown is somebody else's
      if (now === undefined) throw refusal;
      if (isSame(now.draft, draft)) return now.etag;
      if (!this.#ours.some((one) => isSame(one, now.draft))) throw refusal;
      return save(draft, now.etag);
    }
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), ms);
  }

  #set(state: SaveState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
