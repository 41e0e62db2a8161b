export interface KeptDraft<D> {
  draft: D;
  /** Of the version that it was written over. */
  etag: string;
}

/** The words of a person that the server does not have yet, in this browser. */
export interface DraftStore<D> {
  keep(id: string, kept: KeptDraft<D> | null): void;
  read(id: string): KeptDraft<D> | null;
  /** A version that a person gave up for that of somebody else. */
  keepGivenUp(id: string, kept: KeptDraft<D> | null): void;
  readGivenUp(id: string): KeptDraft<D> | null;
}

/** `isDraft` looks at what was stored: another version of the dashboard may have stored something else. */
export function draftStore<D>(isDraft: (value: object) => value is D & object): DraftStore<D> {
  const keyOf = (id: string): string => `posthorn.draft.${id}`;
  const givenUpKeyOf = (id: string): string => `${keyOf(id)}.given-up`;
  const read = (key: string): KeptDraft<D> | null => {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
      return isKept(kept, isDraft) ? kept : null;
    } catch {
      return null;
    }
  };
  return {
    keep: (id, kept) => write(keyOf(id), kept),
    read: (id) => read(keyOf(id)),
    keepGivenUp: (id, kept) => write(givenUpKeyOf(id), kept),
    readGivenUp: (id) => read(givenUpKeyOf(id)),
  };
}

function write(key: string, kept: object | null): void {
  try {
    if (kept === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // A full store: the draft then lives in the page alone, which asks before it is left.
  }
}

function isKept<D>(value: unknown, isDraft: (value: object) => value is D & object): value is KeptDraft<D> {
  if (typeof value !== 'object' || value === null || !('draft' in value) || !('etag' in value)) return false;
  const { draft, etag } = value;
  return typeof etag === 'string' && typeof draft === 'object' && draft !== null && isDraft(draft);
}

export const hasTexts = (value: object, names: readonly string[]): boolean =>
  names.every((name) => typeof (value as Record<string, unknown>)[name] === 'string');
