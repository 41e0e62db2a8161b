import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import {
  cancelIssue,
  deleteIssue,
  duplicateIssue,
  pauseIssue,
  resumeIssue,
  retryFailedRecipients,
} from '../../../api/generated/sdk.gen.ts';
import type { Issue } from '../../../api/generated/types.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { counted } from '../../../lib/number.ts';
import { pb } from '../../../lib/paths.ts';
import { shownSubject } from '../../../lib/blocks/shown-subject.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { ConfirmTyped } from '../../../ui/ConfirmTyped.tsx';
import { toastDone, toastError } from '../../../ui/toasts.tsx';
import { ISSUE_CHANGES, type IssueIds } from './SendIssue.tsx';

interface Props {
  path: IssueIds;
  issue: Issue;
}

export function DuplicateIssue({ path }: { path: IssueIds }) {
  const router = useRouter();
  const write = useWrite({
    call: () => duplicateIssue({ path, throwOnError: true }),
    changes: ISSUE_CHANGES,
    onDone: ({ id }) => router.history.push(pb.issueEdit(path.id, id)),
    onError: toastError,
  });
  return (
    <ActionButton
      variant="default"
      loading={write.isPending}
      disabledReason={useWhyNot('issues:write')}
      onClick={() => write.mutate(undefined)}
    >
      Duplicate
    </ActionButton>
  );
}

/** Stops what has not been released; the answer counts exactly what still leaves. */
export function CancelIssue({ path, issue, onCancelled }: Props & { onCancelled: (stillLeaving: number) => void }) {
  const [isOpen, setOpen] = useState(false);
  const write = useWrite({
    call: () => cancelIssue({ path, throwOnError: true }),
    changes: ISSUE_CHANGES,
    onDone: ({ alreadyQueued }) => {
      setOpen(false);
      onCancelled(alreadyQueued);
    },
    onError: toastError,
  });
  return (
    <>
      <ActionButton variant="danger" disabledReason={useWhyNot('issues:send')} onClick={() => setOpen(true)}>
        Cancel the issue
      </ActionButton>
      <ConfirmTyped
        opened={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={() => write.mutate(undefined)}
        loading={write.isPending}
        title="Cancel this issue?"
        expected="cancel"
        of="in small letters"
        confirm="Cancel the issue"
        danger
      >
        {issue.status === 'scheduled'
          ? 'It will not be sent. A duplicate of it can be sent later.'
          : `About ${counted(issue.stats.waiting, 'email')} will not be sent. The emails that are in the queue already, about ten seconds of sending, still leave.`}
      </ConfirmTyped>
    </>
  );
}

export function PauseIssue({ path }: { path: IssueIds }) {
  const write = useWrite({
    call: () => pauseIssue({ path, throwOnError: true }),
    changes: ISSUE_CHANGES,
    onDone: ({ alreadyQueued }) =>
      toastDone(
        alreadyQueued === 0
          ? 'The issue is paused.'
          : `The issue is paused. ${counted(alreadyQueued, 'email')} in the queue still leave.`,
      ),
    onError: toastError,
  });
  return (
    <ActionButton
      variant="default"
      loading={write.isPending}
      disabledReason={useWhyNot('issues:send')}
      onClick={() => write.mutate(undefined)}
    >
      Pause
    </ActionButton>
  );
}

export function ResumeIssue({ path }: { path: IssueIds }) {
  const write = useWrite({
    call: () => resumeIssue({ path, throwOnError: true }),
    changes: ISSUE_CHANGES,
    onDone: () => toastDone('The issue goes on.'),
    onError: toastError,
  });
  return (
    <ActionButton
      loading={write.isPending}
      disabledReason={useWhyNot('issues:send')}
      onClick={() => write.mutate(undefined)}
    >
      Resume
    </ActionButton>
  );
}

/** Offered only while there are emails that the provider refused. */
export function RetryFailed({ path, issue }: Props) {
  const { refused } = issue.stats;
  const roleReason = useWhyNot('issues:send');
  const write = useWrite({
    call: () => retryFailedRecipients({ path, throwOnError: true }),
    changes: ISSUE_CHANGES,
    onDone: ({ queued }) => toastDone(`${counted(queued, 'email')} are tried again.`),
    onError: toastError,
  });
  return (
    <ActionButton
      variant="default"
      loading={write.isPending}
      disabledReason={roleReason}
      onClick={() => write.mutate(undefined)}
    >
      Retry {counted(refused, 'refused email')}
    </ActionButton>
  );
}

export function DeleteIssue({ path, issue }: Props) {
  const [isOpen, setOpen] = useState(false);
  const router = useRouter();
  const write = useWrite({
    call: () => deleteIssue({ path, throwOnError: true }),
    changes: ['listIssues'],
    onDone: () => {
      toastDone('The issue is deleted.');
      router.history.push(pb.newsletter(path.id));
    },
    onError: toastError,
  });
  return (
    <>
      <ActionButton variant="danger" disabledReason={useWhyNot('issues:write')} onClick={() => setOpen(true)}>
        Delete
      </ActionButton>
      <ConfirmTyped
        opened={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={() => write.mutate(undefined)}
        loading={write.isPending}
        title="Delete this issue?"
        expected="delete"
        of="in small letters"
        confirm="Delete"
        danger
      >
        “{shownSubject(issue.subject)}” and its page in the archive are deleted for good.
      </ConfirmTyped>
    </>
  );
}
