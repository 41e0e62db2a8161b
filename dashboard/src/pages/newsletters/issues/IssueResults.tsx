import { useQuery } from '@tanstack/react-query';
import { getOverviewOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import type { Issue } from '../../../api/generated/types.gen.ts';
import { counted, formatCount } from '../../../lib/number.ts';
import { pb } from '../../../lib/paths.ts';
import { exactTime } from '../../../lib/time.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Properties } from '../../../ui/record/Properties.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { MailingProgress } from '../../../ui/results/MailingProgress.tsx';
import { MailingStats } from '../../../ui/results/MailingStats.tsx';
import { Section } from '../../../ui/Section.tsx';
import { ResumeIssue } from './IssueActions.tsx';
import { IssueCourse } from './IssueCourse.tsx';
import type { IssueIds } from './SendIssue.tsx';

interface Props {
  path: IssueIds;
  issue: Issue;
}

/** Before the sending there is nothing to count. */
export const hasResults = ({ status, stats }: Issue): boolean =>
  stats.total > 0 || status === 'sending' || status === 'sent';

/** It was sent by hand before its time. */
const isOvertaken = (issue: Issue): boolean =>
  issue.scheduled_for !== null &&
  hasResults(issue) &&
  Date.parse(issue.scheduled_for) > Date.parse(issue.sent_at ?? issue.updated_at);

export function IssueResults({ path, issue }: Props) {
  const { stats } = issue;
  const recipients = (counted: string) => `${pb.issue(path.id, path.issueId)}?tab=recipients&counted=${counted}`;
  return (
    <>
      {(issue.status === 'sending' || stats.pending > 0) && <Progress issue={issue} />}
      {hasResults(issue) && (
        <Section title="Results" plain>
          <MailingStats stats={stats} hrefOf={recipients} />
        </Section>
      )}
      {hasResults(issue) && <IssueCourse path={path} />}
      <Section title="Details">
        <Properties
          items={[
            ...(hasResults(issue)
              ? [
                  { label: 'Recipients', value: formatCount(stats.total) },
                  {
                    label: 'Not sent',
                    value: `${counted(stats.refused, 'email')} refused, ${formatCount(stats.suppressed)} suppressed, ${formatCount(stats.cancelled)} cancelled`,
                  },
                  {
                    label: 'By machines',
                    value: `${counted(stats.opened_machine, 'open')}, ${counted(stats.clicked_machine, 'click')}; not counted above`,
                  },
                ]
              : []),
            { label: 'Preheader', value: issue.preheader },
            {
              label: 'Scheduled for',
              value:
                issue.scheduled_for === null || isOvertaken(issue)
                  ? null
                  : `${exactTime(issue.scheduled_for)}${issue.local_time === null || issue.timezone === null ? '' : ` (${issue.local_time.slice(0, 16).replace('T', ' ')} in ${issue.timezone})`}`,
            },
            { label: 'Sent', value: <RelativeTime at={issue.sent_at} none="Not yet" /> },
            {
              label: 'Archive',
              value: issue.archive_url === null ? null : <a href={issue.archive_url}>{issue.archive_url}</a>,
            },
            { label: 'Id', value: issue.id, copy: issue.id, mono: true },
          ]}
        />
      </Section>
    </>
  );
}

function Progress({ issue }: { issue: Issue }) {
  const { stats, progress } = issue;
  const overview = useQuery({ ...getOverviewOptions(), refetchInterval: 5_000 });
  const rate = overview.data?.pace.rate ?? 0;
  const isHeld = progress?.state === 'paused' || (progress?.code ?? null) !== null;
  return <MailingProgress isCancelled={issue.status === 'cancelled'} stats={stats} rate={rate} isHeld={isHeld} />;
}

/** Why nothing moves or why it failed, with the button that helps. */
export function IssueNotice({ path, issue }: Props) {
  const { progress } = issue;
  if (issue.error !== null) return <Notice tone="bad">{issue.error}</Notice>;
  if (issue.schedule_note !== null && issue.status === 'scheduled') {
    return <Notice tone="warn">{issue.schedule_note}</Notice>;
  }
  if (progress?.reason === null || progress?.reason === undefined) return null;
  const resumes = progress.resumes_at === null ? '' : ` It goes on by itself at ${exactTime(progress.resumes_at)}.`;
  const help =
    progress.state === 'paused' && (progress.code === null || progress.code === 'reputation') ? (
      <ResumeIssue path={path} />
    ) : progress.code === 'domain_unverified' ? (
      <ActionButton variant="default" href={pb.domains()}>
        Open the domains
      </ActionButton>
    ) : undefined;
  return (
    <Notice tone={progress.code === null && progress.state !== 'paused' ? 'info' : 'warn'} action={help}>
      {progress.reason}
      {resumes}
    </Notice>
  );
}
