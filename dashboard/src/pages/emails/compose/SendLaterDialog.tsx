import { scheduleEmail } from '../../../api/generated/sdk.gen.ts';
import type { SendEmailRequest } from '../../../api/generated/types.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { exactTime } from '../../../lib/time.ts';
import { personZone } from '../../../lib/zone.ts';
import { LoadedDialog } from '../../../ui/dialog/LoadedDialog.tsx';
import { ScheduleForm } from '../../../ui/form/ScheduleForm.tsx';
import { toastDone } from '../../../ui/toasts.tsx';

interface Props {
  body: SendEmailRequest;
  /** Something else than the time was refused: the form of the email shows it. */
  onRefused: (error: unknown) => void;
  onScheduled: (id: string) => void;
  onClose: () => void;
}

/** Asks when the email of a form is to leave, and schedules it. */
export function SendLaterDialog({ opened, ...props }: Props & { opened: boolean }) {
  return (
    <LoadedDialog opened={opened} onClose={props.onClose} title="When should it leave?" size="sm">
      <SendLater {...props} />
    </LoadedDialog>
  );
}

const isAboutTime = (error: ApiError): boolean => ['scheduled_for', 'timezone', undefined].includes(error.param);

function SendLater({ body, onRefused, onScheduled, onClose }: Props) {
  const write = useWrite({
    call: (time: { scheduled_for: string; timezone: string }) =>
      scheduleEmail({ body: { ...body, ...time }, throwOnError: true }),
    changes: ['listScheduledEmails', 'getCalendar'],
    onDone: ({ id, scheduled_for }) => {
      toastDone(`It leaves ${exactTime(scheduled_for)}.`);
      onScheduled(id);
    },
    onError: (error) => {
      if (error instanceof ApiError && !isAboutTime(error)) onRefused(error);
    },
  });
  return (
    <ScheduleForm
      label="Schedule the email"
      submit="Schedule"
      range="At most 365 days ahead."
      zone={personZone()}
      subject="The email"
      problem={write.error ?? undefined}
      loading={write.isPending}
      onSchedule={write.mutate}
      onClose={onClose}
    />
  );
}
