import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { checkIssue, sendIssue } from '../../../api/generated/sdk.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { ifMatchOf, type Settle } from '../../../lib/drafts/use-writing.ts';
import { useWrite } from '../../../api/use-write.ts';
import { counted, formatCount } from '../../../lib/number.ts';
import { pb } from '../../../lib/paths.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { ConfirmTyped } from '../../../ui/ConfirmTyped.tsx';
import { toastDone, toastError } from '../../../ui/toasts.tsx';

export interface IssueIds {
  id: string;
  issueId: string;
}

export const ISSUE_CHANGES = [
  'getIssue',
  'listIssues',
  'getIssueStats',
  'listIssueRecipients',
  'getNewsletter',
  'getCalendar',
  'countRetryableRecipients',
];

export const CHECKED_LATER = 'The text is checked again once it is saved.';

const TEXTS: readonly string[] = ['subject', 'preheader', 'html_body', 'text_body', 'body'];

/** Nothing can be sent for its text: what is being written mends that, or has done so. */
export const isFaultOfText = ({ level, id }: { level: string; id: string }): boolean =>
  level === 'error' && TEXTS.includes(id);

/** The check of the server, of the version that is saved. It is asked again for another `version`. */
export const useIssueCheck = (path: IssueIds, version: unknown) =>
  useQuery({
    queryKey: [{ _id: 'checkIssue', path, version }],
    queryFn: async () => (await checkIssue({ path, throwOnError: true })).data,
    placeholderData: (before) => before,
    gcTime: 60_000,
  });

interface Props {
  path: IssueIds;
  subject: string;
  /** Why it cannot be sent now, whatever the check says. */
  held?: string | undefined;
  /** Where the issue is being written. */
  settle?: Settle;
  /** Another value asks for the check again. */
  version: unknown;
  /** False: what the check says about the text may be mended by words that it has not seen. */
  isSaved?: boolean;
}

/** Sends at once, after the exact number of readers was typed. */
export function SendIssue({ path, subject, held, settle, version, isSaved = true }: Props) {
  const [isOpen, setOpen] = useState(false);
  const router = useRouter();
  const roleReason = useWhyNot('issues:send');
  const check = useIssueCheck(path, version);
  const write = useWrite({
    call: async () => sendIssue({ path, headers: await ifMatchOf(settle), throwOnError: true }),
    changes: ISSUE_CHANGES,
    onDone: (result) => {
      setOpen(false);
      toastDone(result.status === 'scheduled' ? 'The issue is scheduled.' : 'The issue is on its way.');
      router.history.push(pb.issue(path.id, path.issueId));
    },
    onError: toastError,
  });
  const count = check.data?.recipients.will_send;
  const suppressed = check.data?.recipients.suppressed ?? 0;
  const fault = check.data?.checks.find(({ level }) => level === 'error');
  const isOutdated = !isSaved || check.isPlaceholderData;
  const faultWords = fault && isOutdated && isFaultOfText(fault) ? CHECKED_LATER : fault?.message;
  const nobody = count === 0 ? 'Nobody would get it: the newsletter has no active subscriber.' : undefined;
  const unknown = count === undefined ? 'The number of readers is not known yet.' : undefined;
  const open = () => {
    void check.refetch();
    setOpen(true);
  };
  return (
    <>
      <ActionButton disabledReason={roleReason ?? held ?? faultWords ?? nobody ?? unknown} onClick={open}>
        Send now
      </ActionButton>
      <ConfirmTyped
        opened={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={() => write.mutate(undefined)}
        loading={write.isPending}
        title={`Send “${subject}”?`}
        expected={formatCount(count ?? 0)}
        of="the number of readers"
        confirm={`Send to ${counted(count ?? 0, 'reader')}`}
      >
        The issue goes to {counted(count ?? 0, 'active subscriber')} at once. It cannot be called back from those who
        have it.
        {suppressed > 0 && ` ${counted(suppressed, 'active subscriber')} with a suppressed address will not get it.`}
      </ConfirmTyped>
    </>
  );
}
