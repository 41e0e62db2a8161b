import type { Issue } from '../issue.ts';
import type { IssueContent } from './issue-input.ts';

/** Other html without its document: what the editor had made does not describe it any more. */
export const withoutOldDocument = (before: Issue, content: Partial<IssueContent>): Partial<IssueContent> =>
  content.htmlBody === undefined || content.htmlBody === before.htmlBody || content.editor !== undefined
    ? content
    : { ...content, editor: null };
