import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { getIssueOptions, getNewsletterOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import type { Issue } from '../../../api/generated/types.gen.ts';
import { actionWords } from '../../../lib/action-words.ts';
import { counted } from '../../../lib/number.ts';
import { pb } from '../../../lib/paths.ts';
import { shownSubject } from '../../../lib/blocks/shown-subject.ts';
import { useUrlState } from '../../../lib/use-url-state.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { CurlButton } from '../../../ui/code/CurlButton.tsx';
import { JsonView } from '../../../ui/code/JsonView.tsx';
import { TimeLine, type TimeLineEntry } from '../../../ui/data/TimeLine.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { lazyTab } from '../../../ui/record/lazy-tab.tsx';
import { RecordPage } from '../../../ui/record/RecordPage.tsx';
import { MAILING_STATES } from '../../../ui/results/mailing-states.ts';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { CorrectIssue } from './CorrectIssue.tsx';
import { CancelIssue, DeleteIssue, DuplicateIssue, PauseIssue, RetryFailed, UnscheduleIssue } from './IssueActions.tsx';
import { hasResults, IssueNotice, IssueResults } from './IssueResults.tsx';
import { detailWords } from '../../../lib/mail/detail-words.ts';
import { foldPages } from '../../../lib/mail/fold-pages.ts';
import { isLeaving, listPollMs, resultsPollMs } from '../../../lib/mail/results-poll.ts';
import { UNTITLED } from '../defaults.ts';
import { ScheduleIssue } from './ScheduleIssue.tsx';
import { SendIssue } from './SendIssue.tsx';

const IssueLinks = lazyTab('links', () => import('./IssueLinks.tsx').then((file) => file.IssueLinks));
const Recipients = lazyTab('recipients', () => import('./Recipients.tsx').then((file) => file.Recipients));
const PreviewPanel = lazyTab('content', () => import('./PreviewPanel.tsx').then((file) => file.PreviewPanel));

/** One issue: its state, how far it is, its results and the people it went to. */
export function IssuePage() {
  const { id = '', issueId = '' } = useParams({ strict: false });
  const path = { id, issueId };
  const [{ tab }, setUrl] = useUrlState(['tab', 'status', 'counted', 'search', 'after']);
  const [stillLeaving, setStillLeaving] = useState<number>();
  const newsletter = useQuery(getNewsletterOptions({ path: { id } })).data;
  const {
    data: issue,
    error,
    refetch,
  } = useQuery({
    ...getIssueOptions({ path }),
    refetchInterval: ({ state: { data } }) => resultsPollMs(data, Date.now()),
  });
  const state = issue && MAILING_STATES[issue.status];
  const isMoving = issue !== undefined && isLeaving(issue);
  const isPaused = issue?.progress?.state === 'paused';
  const canEdit = issue?.status === 'draft' || issue?.status === 'scheduled';
  const versions = issue?.stats.by_version.map((one) => one.content_version);
  const tabs = issue && [
    {
      id: 'results',
      label: hasResults(issue) ? 'Results' : 'Overview',
      content: () => <IssueResults path={path} issue={issue} />,
    },
    {
      id: 'recipients',
      label: 'Recipients',
      content: () => <Recipients path={path} pollMs={() => listPollMs(issue, Date.now())} />,
    },
    {
      id: 'links',
      label: 'Links',
      content: () => (
        <IssueLinks
          path={path}
          pollMs={() => listPollMs(issue, Date.now())}
          isDone={!canEdit}
          wasSent={issue.stats.sent > 0}
        />
      ),
    },
    { id: 'content', label: 'Content', content: () => <PreviewPanel path={path} versions={versions ?? []} /> },
    { id: 'history', label: 'History', content: () => <TimeLine label="Changes" entries={historyOf(issue)} /> },
  ];
  return (
    <RecordPage
      title={issue && (shownSubject(issue.subject) || UNTITLED)}
      crumbs={[
        { label: 'Newsletters', href: pb.newsletters() },
        { label: newsletter?.name ?? 'Newsletter', href: pb.newsletter(id) },
      ]}
      badge={state && <StatusBadge tone={state.tone}>{isPaused ? 'Paused' : state.label}</StatusBadge>}
      actions={
        issue && (
          <>
            <CurlButton call={{ method: 'GET', path: `/v1/newsletters/${id}/issues/${issueId}` }} />
            {canEdit && (
              <ActionButton variant="default" href={pb.issueEdit(id, issueId)}>
                Edit
              </ActionButton>
            )}
            {issue.status === 'sending' && isPaused && (
              <ActionButton variant="default" href={pb.issueEdit(id, issueId)}>
                Change the content
              </ActionButton>
            )}
            {issue.status === 'sending' && !isPaused && <PauseIssue path={path} />}
            {issue.stats.sent > 0 && <CorrectIssue path={path} issue={issue} />}
            {issue.status === 'sent' && issue.stats.refused > 0 && (
              <RetryFailed key={issue.stats.refused} path={path} />
            )}
            <DuplicateIssue path={path} />
            {issue.status === 'scheduled' && <UnscheduleIssue path={path} />}
            {(issue.status === 'scheduled' || issue.status === 'sending') && (
              <CancelIssue path={path} issue={issue} onCancelled={setStillLeaving} />
            )}
            {issue.status !== 'scheduled' && !isMoving && <DeleteIssue path={path} issue={issue} />}
            {canEdit && (
              <>
                <ScheduleIssue
                  path={path}
                  zone={issue.timezone ?? newsletter?.timezone ?? 'UTC'}
                  label={issue.status === 'scheduled' ? 'Reschedule' : 'Schedule'}
                />
                <SendIssue path={path} subject={shownSubject(issue.subject)} version={issue.updated_at} />
              </>
            )}
          </>
        )
      }
      notice={
        issue && (
          <>
            {stillLeaving !== undefined && (
              <Notice tone="info">
                The issue is cancelled. {counted(stillLeaving, 'email')} had been released before and still{' '}
                {stillLeaving === 1 ? 'leaves' : 'leave'}.
              </Notice>
            )}
            <IssueNotice path={path} issue={issue} />
          </>
        )
      }
      {...(tabs === undefined ? {} : { tabs })}
      tab={tab}
      onTab={(next) =>
        setUrl({ tab: next, status: undefined, counted: undefined, search: undefined, after: undefined })
      }
      error={error}
      onRetry={() => void refetch()}
    />
  );
}

const historyOf = (issue: Issue): TimeLineEntry[] =>
  foldPages(issue.audit_log.toReversed()).map(({ at, action, details }, index) => ({
    id: `${at} ${index}`,
    at,
    title: actionWords(action),
    ...(details === undefined || Object.keys(details).length === 0
      ? {}
      : { detail: detailWords(details) ?? <JsonView value={details} label="details" /> }),
  }));
