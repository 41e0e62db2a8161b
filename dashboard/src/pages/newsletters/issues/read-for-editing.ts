import { getIssue } from '../../../api/generated/sdk.gen.ts';
import type { Issue } from '../../../api/generated/types.gen.ts';
import { type Draft, draftOf } from './draft.ts';
import type { IssueIds } from './SendIssue.tsx';

export interface Opened {
  issue: Issue;
  draft: Draft;
  etag: string;
}

/** The issue as the server has it now, with the version that a save names. */
export async function readForEditing(path: IssueIds): Promise<Opened> {
  const { data: issue, response } = await getIssue({ path, cache: 'no-store', throwOnError: true });
  return { issue, draft: draftOf(issue), etag: response.headers.get('etag') ?? '' };
}
