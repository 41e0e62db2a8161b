import { rescheduleEmail } from '../../api/generated/sdk.gen.ts';
import type { ScheduledEmail } from '../../api/generated/types.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { exactTime } from '../../lib/time.ts';
import { wallClock } from '../../lib/wall-time.ts';
import { personZone } from '../../lib/zone.ts';
import { LoadedDialog } from '../../ui/dialog/LoadedDialog.tsx';
import { ScheduleForm } from '../../ui/form/ScheduleForm.tsx';
import { toastDone } from '../../ui/toasts.tsx';
import { SCHEDULED_CHANGES } from './scheduled-state.ts';

interface Props {
  email: ScheduledEmail;
  onClose: () => void;
}

/** Asks for another time, beginning with the one that it has. */
export function RescheduleDialog({ opened, ...props }: Props & { opened: boolean }) {
  return (
    <LoadedDialog opened={opened} onClose={props.onClose} title="When should it leave?" size="sm">
      <Reschedule {...props} />
    </LoadedDialog>
  );
}

function Reschedule({ email: { id, scheduled_for, timezone }, onClose }: Props) {
  const zone = timezone ?? personZone();
  const write = useWrite({
    call: (body: { scheduled_for: string; timezone: string }) =>
      rescheduleEmail({ path: { id }, body, throwOnError: true }),
    changes: SCHEDULED_CHANGES,
    onDone: (moved) => {
      onClose();
      toastDone(`It leaves ${exactTime(moved.scheduled_for)}.`);
    },
  });
  return (
    <ScheduleForm
      label="Reschedule the email"
      submit="Reschedule"
      range="At most 365 days ahead."
      local={wallClock(Date.parse(scheduled_for), zone)}
      zone={zone}
      subject="The email"
      problem={write.error ?? undefined}
      loading={write.isPending}
      onSchedule={write.mutate}
      onClose={onClose}
    />
  );
}
