import type { Issue, IssueEditorDocument } from '../../../api/generated/types.gen.ts';
import { draftStore, hasTexts } from '../../../lib/drafts/draft-store.ts';

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

export const issueDrafts = draftStore((value): value is Draft => hasTexts(value, ['subject', 'preheader', 'html']));
