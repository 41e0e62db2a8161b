import { resumeBroadcast, resumeIssue } from '../../api/generated/sdk.gen.ts';
import type { PausedSend } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { pb } from '../../lib/paths.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { toastDone, toastError } from '../../ui/toasts.tsx';
import { WriteButton } from '../../ui/WriteButton.tsx';
import classes from './overview.module.css';

/** Sends to many that stand still, each with its cause and the step that helps. */
export function PausedSends({ sends }: { sends: readonly PausedSend[] }) {
  if (sends.length === 0) return null;
  return (
    <ul className={classes['paused']} aria-label="Paused sends">
      {sends.map((send) => (
        <li key={send.send_id}>
          <Notice tone="warn" action={<Help send={send} />}>
            {send.source === 'issue' ? 'An issue' : 'A broadcast'} is paused since <RelativeTime at={send.paused_at} />.{' '}
            {send.reason}
            {send.resumes_at !== null && (
              <>
                {' '}
                It continues by itself <RelativeTime at={send.resumes_at} />.
              </>
            )}
          </Notice>
        </li>
      ))}
    </ul>
  );
}

function Help({ send }: { send: PausedSend }) {
  const { newsletter_id: newsletterId, issue_id: issueId, broadcast_id: broadcastId } = send;
  const mayResume = send.action === 'resume';
  if (newsletterId !== null && issueId !== null) {
    return (
      <div className={classes['help']}>
        <ActionButton variant="default" size="xs" href={pb.issue(newsletterId, issueId)}>
          Open the issue
        </ActionButton>
        {mayResume && <ResumeIssue path={{ id: newsletterId, issueId }} />}
      </div>
    );
  }
  if (broadcastId === null) return null;
  return (
    <div className={classes['help']}>
      <ActionButton variant="default" size="xs" href={pb.broadcast(broadcastId)}>
        Open the broadcast
      </ActionButton>
      {mayResume && <ResumeBroadcast id={broadcastId} />}
    </div>
  );
}

function ResumeIssue({ path }: { path: { id: string; issueId: string } }) {
  const write = useWrite({
    call: () => resumeIssue({ path, throwOnError: true }),
    changes: ['getOverview', 'getIssue', 'listIssues'],
    onDone: () => toastDone('The issue is being sent again.'),
    onError: toastError,
  });
  return (
    <WriteButton size="xs" write={write} disabledReason={useWhyNot('issues:send')}>
      Resume
    </WriteButton>
  );
}

function ResumeBroadcast({ id }: { id: string }) {
  const write = useWrite({
    call: () => resumeBroadcast({ path: { id }, throwOnError: true }),
    changes: ['getOverview', 'getBroadcast', 'listBroadcasts'],
    onDone: () => toastDone('The broadcast is being sent again.'),
    onError: toastError,
  });
  return (
    <WriteButton size="xs" write={write} disabledReason={useWhyNot('broadcasts:send')}>
      Resume
    </WriteButton>
  );
}
