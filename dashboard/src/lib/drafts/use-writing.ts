import { useEffect, useState, useSyncExternalStore } from 'react';
import { connection } from '../connection.ts';
import { Autosave, type Saved, type SaveState } from './autosave.ts';
import type { DraftStore, KeptDraft } from './draft-store.ts';

interface Parts<D> {
  id: string;
  /** As the page was opened. */
  opened: D;
  etag: string;
  store: DraftStore<D>;
  isSame(a: D, b: D): boolean;
  /** Answers the new ETag, or throws an `ApiError`. */
  save(draft: D, etag: string): Promise<string>;
  /** Asks for the version that the server has now. */
  read(): Promise<Saved<D>>;
}

/** Saves the text that is written and answers its ETag, so that nothing else is sent than what the person saw. */
export type Settle = () => Promise<string>;

/** The header for what is done with that text: 409 when somebody else has changed it meanwhile. */
export const ifMatchOf = async (settle: Settle | undefined): Promise<{ 'If-Match'?: string }> =>
  settle === undefined ? {} : { 'If-Match': await settle() };

const TROUBLE: ReadonlySet<SaveState['kind']> = new Set(['offline', 'refused', 'conflict']);

/**
 * A draft that is saved while it is written: kept in this browser until the server has it, brought back when the page
 * died before, and never saved over the change of somebody else.
 */
export function useWriting<D extends object>(parts: Parts<D>) {
  const { id, store } = parts;
  // As the page was opened: a later answer for the record makes it neither another draft nor none.
  const [restored] = useState(() => {
    const kept = store.read(id);
    return kept !== null && !parts.isSame(kept.draft, parts.opened) ? kept : null;
  });
  // A draft that was written over another version meets that of the server as a conflict.
  const [autosave] = useState(
    () =>
      new Autosave<D>({
        etag: restored?.etag ?? parts.etag,
        base: restored === null ? parts.opened : undefined,
        keep: (draft, over) => store.keep(id, draft === null ? null : { draft, etag: over }),
        save: parts.save,
        read: parts.read,
        isSame: parts.isSame,
      }),
  );
  const [draft, setDraft] = useState<D>(() => restored?.draft ?? parts.opened);
  const [opening, setOpening] = useState(0);
  const [givenUp, setGivenUp] = useState<KeptDraft<D> | null>(() => store.readGivenUp(id));
  const state = useSyncExternalStore(autosave.subscribe, autosave.state);
  const [saved, setSaved] = useState<D>(parts.opened);
  if (state.kind === 'saved' && saved !== draft) setSaved(draft);
  useEffect(() => {
    if (restored !== null) autosave.change(restored.draft);
    return () => void autosave.flush();
  }, [autosave, restored]);
  // As soon as the connection is back, and not at the next of the tries.
  useEffect(() => {
    return connection.subscribe(() => {
      if (connection.lostSince() === undefined && autosave.state().kind === 'offline') void autosave.flush();
    });
  }, [autosave]);
  const replace = (next: D) => {
    setDraft(next);
    setOpening((count) => count + 1);
  };
  const giveUp = (kept: KeptDraft<D> | null) => {
    store.keepGivenUp(id, kept);
    setGivenUp(kept);
  };
  return {
    draft,
    state,
    /** Another number: the editor has to show another text. */
    opening,
    isSaved: state.kind === 'saved',
    /** The text that the server has, as far as it is known here: what is asked of the server is about this one. */
    saved,
    /** Why nothing can be done with the text that stands here. A save that waits or runs is no reason: see `settle`. */
    trouble: TROUBLE.has(state.kind) ? 'The text is not saved.' : undefined,
    /** To be awaited before the text is used: saves it first, and answers its ETag, or throws an `ApiError`. */
    settle: () => autosave.settle(),
    /** The person's own version, after they took that of somebody else, until they put it away. */
    givenUp: givenUp?.draft,
    change: (part: Partial<D>) => {
      const next = { ...draft, ...part };
      setDraft(next);
      autosave.change(next);
    },
    keepMine: (over: string) => void autosave.insist(draft, over),
    takeTheirs: (theirs: D, over: string) => {
      giveUp({ draft, etag: over });
      replace(theirs);
      void autosave.insist(theirs, over);
    },
    takeGivenUp: () => {
      if (givenUp === null) return;
      replace(givenUp.draft);
      autosave.change(givenUp.draft);
      giveUp(null);
    },
    putAway: () => giveUp(null),
  };
}
