import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { countRetryableRecipientsOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import {
  cancelIssue,
  deleteIssue,
  duplicateIssue,
  pauseIssue,
  resumeIssue,
  retryFailedRecipients,
  updateIssue,
} from '../../../api/generated/sdk.gen.ts';
import type { Issue } from '../../../api/generated/types.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { counted } from '../../../lib/number.ts';
import { pb } from '../../../lib/paths.ts';
import { shownSubject } from '../../../lib/blocks/shown-subject.ts';
import {
  cancelScheduledWords,
  cancelWords,
  NO_RETRY,
  pausedWords,
  retriedWords,
  retryWords,
} from '../../../ui/results/mailing-words.ts';
import { toastDone, toastError } from '../../../ui/toasts.tsx';
import { TypedButton } from '../../../ui/TypedButton.tsx';
import { WriteButton } from '../../../ui/WriteButton.tsx';
import { ISSUE_CHANGES, type IssueIds, useIssueCheck } from './SendIssue.tsx';

interface Props {
  path: IssueIds;
  issue: Issue;
}

/** One call, and a sentence when it is done. */
function useAct<Result>(call: () => Promise<{ data: Result }>, onDone: (result: Result) => void) {
  return useWrite({ call, changes: ISSUE_CHANGES, onDone, onError: toastError });
}

export function DuplicateIssue({ path }: { path: IssueIds }) {
  const router = useRouter();
  const write = useAct(
    () => duplicateIssue({ path, throwOnError: true }),
    ({ id }) => router.history.push(pb.issueEdit(path.id, id)),
  );
  return (
    <WriteButton variant="default" write={write} disabledReason={useWhyNot('issues:write')}>
      Duplicate
    </WriteButton>
  );
}

/** Stops what has not been released; the answer counts exactly what still leaves. */
export function CancelIssue({ path, issue, onCancelled }: Props & { onCancelled: (stillLeaving: number) => void }) {
  const write = useAct(
    () => cancelIssue({ path, throwOnError: true }),
    ({ alreadyQueued }) => onCancelled(alreadyQueued),
  );
  return (
    <TypedButton
      label="Cancel the issue"
      write={write}
      disabledReason={useWhyNot('issues:send')}
      title="Cancel this issue?"
      expected="cancel"
      of="in small letters"
      confirm="Cancel the issue"
    >
      {issue.status === 'scheduled' ? <ScheduledCancel path={path} version={issue.updated_at} /> : cancelWords(issue)}
    </TypedButton>
  );
}

/** Of the readers who would get it now: they are written down when its time comes. */
function ScheduledCancel({ path, version }: { path: IssueIds; version: string }) {
  const { data } = useIssueCheck(path, version);
  return cancelScheduledWords(data && counted(data.recipients.will_send, 'reader'));
}

/** Takes a scheduled issue back: it keeps its text and waits for nothing. */
export function UnscheduleIssue({ path }: { path: IssueIds }) {
  const write = useAct(
    () => updateIssue({ path, body: { scheduled_for: null }, throwOnError: true }),
    () => toastDone('The issue is a draft again. It is sent when you say so.'),
  );
  return (
    <WriteButton variant="default" write={write} disabledReason={useWhyNot('issues:send')}>
      Back to draft
    </WriteButton>
  );
}

export function PauseIssue({ path }: { path: IssueIds }) {
  const write = useAct(
    () => pauseIssue({ path, throwOnError: true }),
    ({ alreadyQueued }) => toastDone(pausedWords('issue', alreadyQueued)),
  );
  return (
    <WriteButton variant="default" write={write} disabledReason={useWhyNot('issues:send')}>
      Pause
    </WriteButton>
  );
}

export function ResumeIssue({ path }: { path: IssueIds }) {
  const write = useAct(
    () => resumeIssue({ path, throwOnError: true }),
    () => toastDone('The issue goes on.'),
  );
  return (
    <WriteButton write={write} disabledReason={useWhyNot('issues:send')}>
      Resume
    </WriteButton>
  );
}

/** Offered only while there are emails that the provider refused. */
export function RetryFailed({ path }: Pick<Props, 'path'>) {
  const whyNot = useWhyNot('issues:send');
  const { data } = useQuery({ ...countRetryableRecipientsOptions({ path }), staleTime: 0 });
  const write = useAct(
    () => retryFailedRecipients({ path, throwOnError: true }),
    ({ queued }) => toastDone(retriedWords(queued)),
  );
  return (
    <WriteButton variant="default" write={write} disabledReason={whyNot ?? (data?.count === 0 ? NO_RETRY : undefined)}>
      {retryWords(data)}
    </WriteButton>
  );
}

export function DeleteIssue({ path, issue }: Props) {
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
    <TypedButton
      label="Delete"
      write={write}
      disabledReason={useWhyNot('issues:write')}
      title="Delete this issue?"
      expected="delete"
      of="in small letters"
      confirm="Delete"
    >
      “{shownSubject(issue.subject)}” and its page in the archive are deleted for good.
    </TypedButton>
  );
}
