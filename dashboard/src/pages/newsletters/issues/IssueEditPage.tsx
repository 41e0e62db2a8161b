import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { getNewsletterOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import { getIssue } from '../../../api/generated/sdk.gen.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { pb } from '../../../lib/paths.ts';
import { shownSubject } from '../../../lib/blocks/shown-subject.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { UNTITLED } from '../defaults.ts';
import { Writing } from './Writing.tsx';
import type { IssueIds } from './SendIssue.tsx';

const EditPaused = lazyPart(
  () => import('./EditPaused.tsx').then((file) => file.EditPaused),
  <Skeleton height={320} />,
);

const readForEditing = async (path: IssueIds) => {
  const { data, response } = await getIssue({ path, cache: 'no-store', throwOnError: true });
  return { issue: data, etag: response.headers.get('etag') ?? '' };
};

/** The page where an issue is written. */
export function IssueEditPage() {
  const { id = '', issueId = '' } = useParams({ strict: false });
  const path = { id, issueId };
  const newsletter = useQuery(getNewsletterOptions({ path: { id } }));
  // Read once for each visit: the text on the page is the person's from then on.
  const opened = useQuery({
    queryKey: [{ _id: 'issueToEdit', path }],
    queryFn: () => readForEditing(path),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
  const error = opened.error ?? newsletter.error;
  const crumbs = [
    { label: 'Newsletters', href: pb.newsletters() },
    { label: newsletter.data?.name ?? 'Newsletter', href: pb.newsletter(id) },
  ];
  if (opened.data === undefined || newsletter.data === undefined) {
    return (
      <>
        <PageHeader title={error === null ? 'Loading …' : 'Not available'} crumbs={crumbs} />
        {error === null ? (
          <Skeleton height={320} />
        ) : (
          <ErrorState error={error} onRetry={() => void opened.refetch()} />
        )}
      </>
    );
  }
  const { issue, etag } = opened.data;
  if (issue.status === 'sending' && issue.progress?.state === 'paused') {
    return (
      <EditPaused key={issueId} path={path} issue={issue} etag={etag} newsletter={newsletter.data} crumbs={crumbs} />
    );
  }
  if (issue.status !== 'draft' && issue.status !== 'scheduled') {
    return (
      <>
        <PageHeader title={shownSubject(issue.subject) || UNTITLED} crumbs={crumbs} />
        <Notice
          tone="info"
          action={
            <ActionButton variant="default" href={pb.issue(id, issueId)}>
              Open the issue
            </ActionButton>
          }
        >
          {issue.status === 'sending'
            ? 'This issue is being sent. Pause it to change what has not left.'
            : 'This issue was sent or cancelled, so it does not change any more. Duplicate it to write on.'}
        </Notice>
      </>
    );
  }
  return <Writing key={issueId} path={path} issue={issue} etag={etag} newsletter={newsletter.data} crumbs={crumbs} />;
}
