import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { MousePointerClick } from 'lucide-react';
import { listIssueLinksOptions, previewIssueOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import type { IssueLinks as Links } from '../../../api/generated/types.gen.ts';
import { counted } from '../../../lib/number.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { CurlButton } from '../../../ui/code/CurlButton.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { LinkTable } from '../../../ui/results/LinkTable.tsx';
import { Section } from '../../../ui/Section.tsx';
import classes from './issues.module.css';
import { RedirectIssueLink } from './RedirectIssueLink.tsx';
import type { IssueIds } from './SendIssue.tsx';

const ClickMap = lazyPart(
  () => import('../../../ui/results/ClickMap.tsx').then((file) => file.ClickMap),
  <Skeleton height={320} />,
);

interface Props {
  path: IssueIds;
  pollMs: () => number;
  /** It was sent, or will never be. */
  isDone: boolean;
  /** Something of it has left. */
  wasSent: boolean;
}

/** Which links people followed: a table, and the mail with the numbers beside its links. */
export function IssueLinks({ path, pollMs, isDone, wasSent }: Props) {
  const { data, error, refetch } = useQuery({
    ...listIssueLinksOptions({ path }),
    refetchInterval: pollMs,
  });
  if (data === undefined) {
    return error === null ? <Skeleton height={240} /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  if (data.data.length === 0) return <NoLinks links={data} isDone={isDone} wasSent={wasSent} />;
  const { others } = data;
  return (
    <>
      <Section
        title="Links"
        description="In the order of the issue. Links to the same address are counted together."
        actions={
          <CurlButton call={{ method: 'GET', path: `/v1/newsletters/${path.id}/issues/${path.issueId}/links` }} />
        }
        plain
      >
        <LinkTable
          links={data.data.map(({ clicked, clicks_machine, leads_to, ...link }) => ({
            ...link,
            leadsTo: leads_to,
            people: clicked,
            machines: clicks_machine,
          }))}
          others={others.clicks}
          action={(link) => <RedirectIssueLink path={path} link={link} />}
        />
        {others.clicks + others.clicks_machine > 0 && (
          <p className={classes['others']}>
            {counted(others.clicks, 'more click')} of {counted(others.clicked, 'person', 'people')} and{' '}
            {counted(others.clicks_machine, 'click')} of machines went to addresses that a template made.
          </p>
        )}
      </Section>
      <MapOfClicks path={path} links={data} />
    </>
  );
}

/** Loaded with the mail: the table stands before it. */
function MapOfClicks({ path, links }: { path: IssueIds; links: Links }) {
  const preview = useQuery(previewIssueOptions({ path, query: { number_links: 'true' } }));
  return (
    <ClickMap
      noun="issue"
      html={preview.data?.html}
      error={preview.error}
      onRetry={() => void preview.refetch()}
      links={links.data}
      others={links.others.clicks}
    />
  );
}

interface NoLinksProps extends Pick<Props, 'isDone' | 'wasSent'> {
  links: Links;
}

function NoLinks({ links: { counted_since: countedSince }, isDone, wasSent }: NoLinksProps) {
  return (
    <EmptyState icon={<MousePointerClick size={20} />} title="No links to show">
      {whyNone(isDone, wasSent, countedSince !== null)}
    </EmptyState>
  );
}

function whyNone(isDone: boolean, wasSent: boolean, isCounted: boolean): string {
  if (!isDone) return 'When the issue is sent, its links stand here with the people who followed them.';
  if (isCounted) return 'The issue has no link whose clicks are counted.';
  return wasSent
    ? 'Its newsletter did not track clicks when the issue was sent, so nobody knows who followed its links.'
    : 'Nothing of the issue was sent, so it has no clicks.';
}
