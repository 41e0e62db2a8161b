import { Skeleton } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { sendBroadcast } from '../../../api/generated/sdk.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { ifMatchOf, type Settle } from '../../../lib/drafts/use-writing.ts';
import { useWrite } from '../../../api/use-write.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { pb } from '../../../lib/paths.ts';
import { exactTime } from '../../../lib/time.ts';
import { ScheduleButton } from '../../../ui/form/ScheduleButton.tsx';
import { toastDone } from '../../../ui/toasts.tsx';
import { BROADCAST_CHANGES } from '../broadcast-state.ts';

const ScheduleOptions = lazyPart(
  () => import('./ScheduleOptions.tsx').then((file) => file.ScheduleOptions),
  <Skeleton height={150} radius="md" />,
);

interface Props {
  id: string;
  /** The zone to begin with. */
  zone: string;
  /** It leaves at the local time of each contact. */
  isLocal: boolean;
  label: string;
  held?: string | undefined;
  /** Where the broadcast is being written. */
  settle?: Settle;
}

export function ScheduleBroadcast({ id, zone, isLocal: wasLocal, label, held, settle }: Props) {
  const router = useRouter();
  const [by, setBy] = useState('');
  const [isLocal, setLocal] = useState(wasLocal);
  const roleReason = useWhyNot('broadcasts:send');
  const write = useWrite({
    call: async (time: { scheduled_for: string; timezone: string }) =>
      sendBroadcast({
        headers: await ifMatchOf(settle),
        path: { id },
        body: { ...time, recipient_timezone: isLocal, finish_by: by === '' ? null : `${by}:00` },
        throwOnError: true,
      }),
    changes: BROADCAST_CHANGES,
    onDone: (result) => {
      toastDone(result.status === 'scheduled' ? `Scheduled for ${exactTime(result.scheduled_for)}.` : 'Scheduled.');
      router.history.push(pb.broadcast(id));
    },
  });
  return (
    <ScheduleButton
      label={label}
      noun="broadcast"
      range="From 30 seconds to 365 days ahead. The audience is what it is at that time."
      zone={zone}
      write={write}
      disabledReason={roleReason ?? held}
      onOpen={() => {
        setBy('');
        setLocal(wasLocal);
      }}
      more={({ local, zone: chosen }) => (
        <ScheduleOptions
          id={id}
          local={local}
          zone={chosen}
          isLocal={isLocal}
          onLocal={setLocal}
          by={by}
          onBy={setBy}
        />
      )}
    />
  );
}
