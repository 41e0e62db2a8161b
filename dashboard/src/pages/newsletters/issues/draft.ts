import type { Issue, IssueEditorDocument } from '../../../api/generated/types.gen.ts';

/** The fields of an issue that a person writes. */
export interface Draft {
  subject: string;
  preheader: string;
  html: string;
  editor: IssueEditorDocument | null;
}

export const draftOf = (issue: Issue): Draft => ({
  subject: issue.subject,
  preheader: issue.preheader ?? '',
  html: issue.html_body,
  editor: issue.editor,
});

export const isSameDraft = (a: Draft, b: Draft): boolean =>
  a.subject === b.subject && a.preheader === b.preheader && a.html === b.html;

export interface KeptDraft {
  draft: Draft;
  /** Of the version that it was written over. */
  etag: string;
}

const keyOf = (issueId: string): string => `posthorn.draft.${issueId}`;
/** A version that a person gave up for that of somebody else. */
const givenUpKeyOf = (issueId: string): string => `posthorn.draft.${issueId}.given-up`;

export const keepDraft = (issueId: string, kept: KeptDraft | null): void => keep(keyOf(issueId), kept);
export const readKeptDraft = (issueId: string): KeptDraft | null => read(keyOf(issueId));

export const keepGivenUp = (issueId: string, kept: KeptDraft | null): void => keep(givenUpKeyOf(issueId), kept);
export const readGivenUp = (issueId: string): KeptDraft | null => read(givenUpKeyOf(issueId));

function keep(key: string, kept: KeptDraft | null): void {
  try {
    if (kept === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // A full store: the draft then lives in the page alone, which asks before it is left.
  }
}

function read(key: string): KeptDraft | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return isKept(kept) ? kept : null;
  } catch {
    return null;
  }
}

function isKept(value: unknown): value is KeptDraft {
  if (typeof value !== 'object' || value === null || !('draft' in value) || !('etag' in value)) return false;
  const { draft, etag } = value;
  if (typeof etag !== 'string' || typeof draft !== 'object' || draft === null) return false;
  return ['subject', 'preheader', 'html'].every((name) => typeof (draft as Record<string, unknown>)[name] === 'string');
}
