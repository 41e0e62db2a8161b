import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { sendBroadcast } from '../../../api/generated/sdk.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { pb } from '../../../lib/paths.ts';
import { exactTime } from '../../../lib/time.ts';
import { LoadedDialog } from '../../../ui/dialog/LoadedDialog.tsx';
import { ScheduleForm } from '../../../ui/form/ScheduleForm.tsx';
import { toastDone } from '../../../ui/toasts.tsx';
import { BROADCAST_CHANGES } from '../broadcast-state.ts';
import { FinishBy } from './FinishBy.tsx';

interface Props {
  id: string;
  zone: string;
  onClose: () => void;
}

/** The form of `ScheduleBroadcast`. */
export function ScheduleDialog({ opened, ...props }: Props & { opened: boolean }) {
  return (
    <LoadedDialog opened={opened} onClose={props.onClose} title="When should it be sent?" size="sm">
      <Schedule {...props} />
    </LoadedDialog>
  );
}

function Schedule({ id, zone, onClose }: Props) {
  const router = useRouter();
  const [by, setBy] = useState('');
  const write = useWrite({
    call: (body: { scheduled_for: string; timezone: string }) =>
      sendBroadcast({
        path: { id },
        body: { ...body, finish_by: by === '' ? null : `${by}:00` },
        throwOnError: true,
      }),
    changes: BROADCAST_CHANGES,
    onDone: (result) => {
      onClose();
      toastDone(result.status === 'scheduled' ? `Scheduled for ${exactTime(result.scheduled_for)}.` : 'Scheduled.');
      router.history.push(pb.broadcast(id));
    },
  });
  return (
    <ScheduleForm
      label="Schedule the broadcast"
      submit="Schedule"
      range="From 30 seconds to 365 days ahead. The audience is what it is at that time."
      zone={zone}
      subject="The broadcast"
      problem={write.error ?? undefined}
      loading={write.isPending}
      onSchedule={write.mutate}
      onClose={onClose}
      more={<FinishBy zone="the same zone" value={by} onChange={setBy} />}
    />
  );
}
