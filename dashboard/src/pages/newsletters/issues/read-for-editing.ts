import { getIssue } from '../../../api/generated/sdk.gen.ts';
import type { Issue } from '../../../api/generated/types.gen.ts';
import { type Draft, draftOf } from './draft.ts';
import type { IssueIds } from './SendIssue.tsx';

export interface Opened {
  issue: Issue;
  draft: Draft;
  etag: string;
}

/**
 * The same, if the issue still has the state in which the page was opened. Somebody who has scheduled or sent it since
 * has checked its text: nothing is saved over that without a question.
 */
export async function readInState(path: IssueIds, status: Issue['status']): Promise<Opened> {
  const now = await readForEditing(path);
  if (now.issue.status !== status) throw new Error(`The issue is ${now.issue.status} now.`);
  return now;
}

/** The issue as the server has it now, with the version that a save names. */
export async function readForEditing(path: IssueIds): Promise<Opened> {
  const { data: issue, response } = await getIssue({ path, cache: 'no-store', throwOnError: true });
  return { issue, draft: draftOf(issue), etag: response.headers.get('etag') ?? '' };
}
