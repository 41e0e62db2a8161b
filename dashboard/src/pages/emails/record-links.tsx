/** Links to the records that an email belongs to, with the name of each as soon as it is read. */
import { useQuery } from '@tanstack/react-query';
import {
  getApiKeyOptions,
  getDomainOptions,
  getIssueOptions,
  getNewsletterOptions,
} from '../../api/generated/@tanstack/react-query.gen.ts';
import { shownSubject } from '../../lib/blocks/shown-subject.ts';
import { pb } from '../../lib/paths.ts';

/** Names change rarely. */
const STALE_MS = 60_000;

/** A record that is gone, or that the person may not see, has no name: the link says what it leads to. */
export function DomainLink({ id }: { id: string }) {
  const { data } = useQuery({ ...getDomainOptions({ path: { id } }), staleTime: STALE_MS });
  return <a href={pb.domain(id)}>{data?.data.domain ?? 'Open the domain'}</a>;
}

export function KeyLink({ id }: { id: string }) {
  const { data } = useQuery({ ...getApiKeyOptions({ path: { id } }), staleTime: STALE_MS });
  return <a href={pb.key(id)}>{data?.name ?? 'Open the key'}</a>;
}

export function NewsletterLink({ id }: { id: string }) {
  const { data } = useQuery({ ...getNewsletterOptions({ path: { id } }), staleTime: STALE_MS });
  return <a href={pb.newsletter(id)}>{data?.name ?? 'Open the newsletter'}</a>;
}

export function IssueLink({ id, issueId }: { id: string; issueId: string }) {
  const { data } = useQuery({ ...getIssueOptions({ path: { id, issueId } }), staleTime: STALE_MS });
  return <a href={pb.issue(id, issueId)}>{data === undefined ? 'Open the issue' : shownSubject(data.subject)}</a>;
}
