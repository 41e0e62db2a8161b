import { useRouter } from '@tanstack/react-router';
import { scheduleIssue } from '../../../api/generated/sdk.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { pb } from '../../../lib/paths.ts';
import { exactTime } from '../../../lib/time.ts';
import { LoadedDialog } from '../../../ui/dialog/LoadedDialog.tsx';
import { ScheduleForm } from '../../../ui/form/ScheduleForm.tsx';
import { toastDone } from '../../../ui/toasts.tsx';
import { ISSUE_CHANGES, type IssueIds } from './SendIssue.tsx';

interface Props {
  path: IssueIds;
  zone: string;
  onClose: () => void;
}

/** The form of `ScheduleIssue`. */
export function ScheduleDialog({ opened, ...props }: Props & { opened: boolean }) {
  return (
    <LoadedDialog opened={opened} onClose={props.onClose} title="When should it be sent?" size="sm">
      <Schedule {...props} />
    </LoadedDialog>
  );
}

function Schedule({ path, zone, onClose }: Props) {
  const router = useRouter();
  const write = useWrite({
    call: (body: { scheduled_for: string; timezone: string }) => scheduleIssue({ path, body, throwOnError: true }),
    changes: ISSUE_CHANGES,
    onDone: ({ scheduled_for }) => {
      onClose();
      toastDone(scheduled_for === null ? 'Scheduled.' : `Scheduled for ${exactTime(scheduled_for)}.`);
      router.history.push(pb.issue(path.id, path.issueId));
    },
  });
  return (
    <ScheduleForm
      label="Schedule the issue"
      submit="Schedule"
      range="From 30 seconds to 30 days ahead."
      zone={zone}
      subject="The issue"
      problem={write.error ?? undefined}
      loading={write.isPending}
      onSchedule={write.mutate}
      onClose={onClose}
    />
  );
}
