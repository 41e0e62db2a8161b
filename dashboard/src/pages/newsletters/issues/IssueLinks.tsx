import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { MousePointerClick } from 'lucide-react';
import { useMemo } from 'react';
import { listIssueLinksOptions, previewIssueOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import type { IssueLinks as Links } from '../../../api/generated/types.gen.ts';
import { counted, formatCount } from '../../../lib/number.ts';
import { usePreviewView } from '../../../lib/use-preview-view.ts';
import { CurlButton } from '../../../ui/code/CurlButton.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { MailPreview } from '../../../ui/mail-preview/MailPreview.tsx';
import { LinkTable } from '../../../ui/results/LinkTable.tsx';
import { Section } from '../../../ui/Section.tsx';
import classes from './issues.module.css';
import type { IssueIds } from './SendIssue.tsx';

interface Props {
  path: IssueIds;
  pollMs: () => number;
  /** It was sent, or will never be. */
  isDone: boolean;
}

/** Which links people followed: a table, and the mail with the numbers beside its links. */
export function IssueLinks({ path, pollMs, isDone }: Props) {
  const { data, error, refetch } = useQuery({
    ...listIssueLinksOptions({ path }),
    refetchInterval: pollMs,
  });
  if (data === undefined) {
    return error === null ? <Skeleton height={240} /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  if (data.data.length === 0) return <NoLinks links={data} isDone={isDone} />;
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
          links={data.data.map(({ clicked, clicks_machine, ...link }) => ({
            ...link,
            people: clicked,
            machines: clicks_machine,
          }))}
          others={others.clicks}
        />
        {others.clicks + others.clicks_machine > 0 && (
          <p className={classes['others']}>
            {counted(others.clicks, 'more click')} of {counted(others.clicked, 'person', 'people')} and{' '}
            {counted(others.clicks_machine, 'click')} of machines went to addresses that a template made.
          </p>
        )}
      </Section>
      <ClickMap path={path} links={data} />
    </>
  );
}

function ClickMap({ path, links }: { path: IssueIds; links: Links }) {
  const [view, setView] = usePreviewView();
  const preview = useQuery(previewIssueOptions({ path, query: { number_links: 'true' } }));
  const badges = useMemo(
    () => new Map(links.data.map(({ number, clicks }) => [String(number), `${number}: ${formatCount(clicks)}`])),
    [links],
  );
  return (
    <Section title="Click map" description="Beside each link stand its number and the clicks of people." plain>
      {preview.error !== null && <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />}
      {preview.data === undefined ? (
        preview.error === null && <Skeleton height={320} />
      ) : (
        <MailPreview
          html={preview.data.html}
          label="The issue with its clicks"
          view={view}
          onViewChange={setView}
          badges={badges}
        />
      )}
    </Section>
  );
}

function NoLinks({ links, isDone }: { links: Links; isDone: boolean }) {
  const why = !isDone
    ? 'When the issue is sent, its links stand here with the people who followed them.'
    : links.counted_since === null
      ? 'The clicks of this issue are not counted by link: it was not sent, its newsletter does not count clicks, or it was sent before this version.'
      : 'The issue has no link whose clicks are counted.';
  return (
    <EmptyState icon={<MousePointerClick size={20} />} title="No links to show">
      {why}
    </EmptyState>
  );
}
