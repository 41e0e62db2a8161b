import { resumeIssue } from '../../api/generated/sdk.gen.ts';
import type { PausedSend } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { pb } from '../../lib/paths.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { toastDone, toastError } from '../../ui/toasts.tsx';
import classes from './overview.module.css';

/** Sends to many that stand still, each with its cause and the step that helps. */
export function PausedSends({ sends }: { sends: readonly PausedSend[] }) {
  if (sends.length === 0) return null;
  return (
    <ul className={classes['paused']} aria-label="Paused sends">
      {sends.map((send) => (
        <li key={send.send_id}>
          <Notice tone="warn" action={<Help send={send} />}>
            An issue is paused since <RelativeTime at={send.paused_at} />. {send.reason}
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

function Help({ send: { newsletter_id, issue_id, action } }: { send: PausedSend }) {
  const whyNot = useWhyNot('issues:send');
  const resume = useWrite({
    call: (path: { id: string; issueId: string }) => resumeIssue({ path }),
    changes: ['getOverview', 'getIssue', 'listIssues'],
    onDone: () => toastDone('The issue is being sent again.'),
    onError: toastError,
  });
  if (newsletter_id === null || issue_id === null) return null;
  return (
    <div className={classes['help']}>
      <ActionButton variant="default" size="xs" href={pb.issue(newsletter_id, issue_id)}>
        Open the issue
      </ActionButton>
      {action === 'resume' && (
        <ActionButton
          size="xs"
          loading={resume.isPending}
          disabledReason={whyNot}
          onClick={() => resume.mutate({ id: newsletter_id, issueId: issue_id })}
        >
          Resume
        </ActionButton>
      )}
    </div>
  );
}
