import { useRouter } from '@tanstack/react-router';
import { scheduleIssue } from '../../../api/generated/sdk.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { ifMatchOf, type Settle } from '../../../lib/drafts/use-writing.ts';
import { useWrite } from '../../../api/use-write.ts';
import { pb } from '../../../lib/paths.ts';
import { exactTime } from '../../../lib/time.ts';
import { ScheduleButton } from '../../../ui/form/ScheduleButton.tsx';
import { toastDone } from '../../../ui/toasts.tsx';
import { ISSUE_CHANGES, type IssueIds } from './SendIssue.tsx';

interface Props {
  path: IssueIds;
  /** Of the newsletter. */
  zone: string;
  label?: string;
  held?: string | undefined;
  /** Where the issue is being written. */
  settle?: Settle;
}

export function ScheduleIssue({ path, zone, label = 'Schedule', held, settle }: Props) {
  const router = useRouter();
  const roleReason = useWhyNot('issues:send');
  const write = useWrite({
    call: async (body: { scheduled_for: string; timezone: string }) =>
      scheduleIssue({ path, body, headers: await ifMatchOf(settle), throwOnError: true }),
    changes: ISSUE_CHANGES,
    onDone: ({ scheduled_for }) => {
      toastDone(scheduled_for === null ? 'Scheduled.' : `Scheduled for ${exactTime(scheduled_for)}.`);
      router.history.push(pb.issue(path.id, path.issueId));
    },
  });
  return (
    <ScheduleButton
      label={label}
      noun="issue"
      range="From 30 seconds to 30 days ahead."
      zone={zone}
      write={write}
      disabledReason={roleReason ?? held}
    />
  );
}
