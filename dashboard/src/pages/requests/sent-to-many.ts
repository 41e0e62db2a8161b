import type { LoggedRequest } from '../../api/generated/types.gen.ts';
import { pb } from '../../lib/paths.ts';

/** The issue or the broadcast that a request let go, now or for a time; its answer does not list the emails. */
export interface SentToMany {
  readonly what: 'issue' | 'broadcast';
  readonly href: string;
}

const ISSUE = /^(?:\/v1)?\/newsletters\/([^/]+)\/issues\/([^/]+)\/(?:send|schedule)$/;
const BROADCAST = /^(?:\/v1)?\/broadcasts\/([^/]+)\/(?:send|schedule)$/;

export function sentToMany({ path, status }: Pick<LoggedRequest, 'path' | 'status'>): SentToMany | undefined {
  if (status >= 300) return undefined;
  const [, newsletterId, issueId] = ISSUE.exec(path) ?? [];
  if (newsletterId !== undefined && issueId !== undefined)
    return { what: 'issue', href: pb.issue(newsletterId, issueId) };
  const [, broadcastId] = BROADCAST.exec(path) ?? [];
  return broadcastId === undefined ? undefined : { what: 'broadcast', href: pb.broadcast(broadcastId) };
}
