import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { PenLine } from 'lucide-react';
import { useState } from 'react';
import { getBroadcastOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { Broadcast } from '../../api/generated/types.gen.ts';
import { useSession } from '../../api/session.ts';
import { actionWords } from '../../lib/action-words.ts';
import { detailWords } from '../../lib/mail/detail-words.ts';
import { foldPages } from '../../lib/mail/fold-pages.ts';
import { isLeaving, listPollMs, resultsPollMs } from '../../lib/mail/results-poll.ts';
import { counted } from '../../lib/number.ts';
import { pb } from '../../lib/paths.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { JsonView } from '../../ui/code/JsonView.tsx';
import { TimeLine, type TimeLineEntry } from '../../ui/data/TimeLine.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { lazyTab } from '../../ui/record/lazy-tab.tsx';
import { RecordPage } from '../../ui/record/RecordPage.tsx';
import { MAILING_STATES } from '../../ui/results/mailing-states.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { hasResults, isOpen, isPaused, shownTitle } from './broadcast-state.ts';
import { BroadcastNotice } from './results/BroadcastNotice.tsx';
import { CorrectBroadcast } from './results/CorrectBroadcast.tsx';
import { BroadcastResults } from './results/BroadcastResults.tsx';
import {
  CancelBroadcast,
  DeleteBroadcast,
  DuplicateBroadcast,
  PauseBroadcast,
  RetryFailed,
  UnscheduleBroadcast,
} from './sending/BroadcastActions.tsx';
import { ScheduleBroadcast } from './sending/ScheduleBroadcast.tsx';
import { SendBroadcast } from './sending/SendBroadcast.tsx';
import { draftOf, lacksOf } from './writing/draft.ts';

const BroadcastLinks = lazyTab('links', () =>
  import('./results/BroadcastLinks.tsx').then((file) => file.BroadcastLinks),
);
const Recipients = lazyTab('recipients', () => import('./results/Recipients.tsx').then((file) => file.Recipients));
const PreviewPanel = lazyTab('content', () => import('./results/PreviewPanel.tsx').then((file) => file.PreviewPanel));

/** One broadcast: its state, how far it is, its results and the people it went to. */
export function BroadcastPage() {
  const { id = '' } = useParams({ strict: false });
  const [{ tab }, setUrl] = useUrlState(['tab', 'counted', 'contact', 'after']);
  const [stillLeaving, setStillLeaving] = useState<number>();
  const {
    data: broadcast,
    error,
    refetch,
  } = useQuery({
    ...getBroadcastOptions({ path: { id } }),
    refetchInterval: ({ state: { data } }) => resultsPollMs(data, Date.now()),
  });
  const state = broadcast && MAILING_STATES[shownStatus(broadcast)];
  const label = broadcast !== undefined && isPaused(broadcast) ? 'Paused' : (state?.label ?? '');
  const tabs = broadcast && tabsOf(broadcast);
  return (
    <RecordPage
      title={broadcast && shownTitle(broadcast)}
      crumbs={[{ label: 'Broadcasts', href: pb.broadcasts() }]}
      badge={state && <StatusBadge tone={state.tone}>{label}</StatusBadge>}
      actions={broadcast && <Actions broadcast={broadcast} onCancelled={setStillLeaving} />}
      notice={
        broadcast && (
          <>
            {stillLeaving !== undefined && (
              <Notice tone="info">
                {stillLeaving === 0
                  ? 'The broadcast is cancelled. No email of it leaves any more.'
                  : `The broadcast is cancelled. ${counted(stillLeaving, 'email')} had been released before and still ${stillLeaving === 1 ? 'leaves' : 'leave'}.`}
              </Notice>
            )}
            <BroadcastNotice broadcast={broadcast} />
          </>
        )
      }
      {...(tabs === undefined ? {} : { tabs })}
      tab={tab}
      onTab={(next) => setUrl({ tab: next, counted: undefined, contact: undefined, after: undefined })}
      error={error}
      onRetry={() => void refetch()}
    />
  );
}

const tabsOf = (broadcast: Broadcast) => {
  const { id } = broadcast;
  const pollMs = () => listPollMs(broadcast, Date.now());
  const versions = broadcast.stats.by_version.map((one) => one.content_version);
  return [
    {
      id: 'results',
      label: hasResults(broadcast) ? 'Results' : 'Overview',
      content: () => <BroadcastResults broadcast={broadcast} />,
    },
    { id: 'recipients', label: 'Recipients', content: () => <Recipients id={id} pollMs={pollMs} /> },
    {
      id: 'links',
      label: 'Links',
      content: () => (
        <BroadcastLinks id={id} pollMs={pollMs} isDone={!isOpen(broadcast)} wasSent={broadcast.stats.sent > 0} />
      ),
    },
    {
      id: 'content',
      label: 'Content',
      content: () =>
        hasText(broadcast) ? <PreviewPanel id={id} versions={versions} /> : <NoText href={pb.broadcastEdit(id)} />,
    },
    { id: 'history', label: 'History', content: () => <TimeLine label="Changes" entries={historyOf(broadcast)} /> },
  ];
};

/** The last emails of a broadcast leave for some seconds after all were released. */
const shownStatus = (broadcast: Broadcast) =>
  broadcast.status === 'sent' && isLeaving(broadcast) ? 'sending' : broadcast.status;

const hasText = ({ html, text, template_id: templateId }: Broadcast): boolean =>
  templateId !== null || (html ?? '').trim() !== '' || (text ?? '').trim() !== '';

const NoText = ({ href }: { href: string }) => (
  <EmptyState
    icon={<PenLine size={20} />}
    title="Nothing is written yet"
    action={
      <ActionButton variant="default" href={href}>
        Write
      </ActionButton>
    }
  >
    The mail is shown here as each contact gets it.
  </EmptyState>
);

interface ActionsProps {
  broadcast: Broadcast;
  onCancelled: (stillLeaving: number) => void;
}

function Actions({ broadcast, onCancelled }: ActionsProps) {
  const { workspace } = useSession();
  const { id, status, stats } = broadcast;
  const [lacking] = lacksOf(draftOf(broadcast));
  const zone = broadcast.timezone ?? workspace?.timezone ?? 'UTC';
  return (
    <>
      <CurlButton call={{ method: 'GET', path: `/v1/broadcasts/${id}` }} />
      {isOpen(broadcast) && (
        <ActionButton variant="default" href={pb.broadcastEdit(id)}>
          Edit
        </ActionButton>
      )}
      {status === 'sending' && isPaused(broadcast) && (
        <ActionButton variant="default" href={pb.broadcastEdit(id)}>
          Change the content
        </ActionButton>
      )}
      {stats.sent > 0 && <CorrectBroadcast broadcast={broadcast} />}
      {status === 'sent' && stats.refused > 0 && <RetryFailed key={stats.refused} broadcast={broadcast} />}
      <DuplicateBroadcast broadcast={broadcast} />
      {status === 'scheduled' && <UnscheduleBroadcast broadcast={broadcast} />}
      {status === 'sending' && !isPaused(broadcast) && <PauseBroadcast broadcast={broadcast} />}
      {(status === 'scheduled' || status === 'sending') && (
        <CancelBroadcast broadcast={broadcast} onCancelled={onCancelled} />
      )}
      {status !== 'scheduled' && !isLeaving(broadcast) && <DeleteBroadcast broadcast={broadcast} />}
      {isOpen(broadcast) && (
        <>
          <ScheduleBroadcast
            id={id}
            zone={zone}
            isLocal={broadcast.recipient_timezone}
            label={status === 'scheduled' ? 'Reschedule' : 'Schedule'}
            held={lacking}
          />
          <SendBroadcast
            id={id}
            title={shownTitle(broadcast)}
            zone={zone}
            held={lacking}
            version={broadcast.updated_at}
          />
        </>
      )}
    </>
  );
}

const historyOf = (broadcast: Broadcast): TimeLineEntry[] =>
  foldPages(broadcast.audit_log.toReversed()).map(({ at, action, details }, index) => ({
    id: `${at} ${index}`,
    at,
    title: actionWords(action),
    ...(details === undefined || Object.keys(details).length === 0
      ? {}
      : { detail: detailWords(details) ?? <JsonView value={details} label="details" /> }),
  }));
