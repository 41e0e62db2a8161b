import { useState } from 'react';
import { useWhyNot } from '../../../api/session.ts';
import { lazyDialog } from '../../../lib/lazy-part.tsx';
import { ActionButton } from '../../../ui/ActionButton.tsx';

const ScheduleDialog = lazyDialog(() => import('./ScheduleDialog.tsx').then((file) => file.ScheduleDialog));

interface Props {
  id: string;
  /** The zone to begin with. */
  zone: string;
  label: string;
  held?: string | undefined;
}

/** Sends later, at a time of the clock in a zone. */
export function ScheduleBroadcast({ id, zone, label, held }: Props) {
  const [isOpen, setOpen] = useState(false);
  const roleReason = useWhyNot('broadcasts:send');
  return (
    <>
      <ActionButton variant="default" disabledReason={roleReason ?? held} onClick={() => setOpen(true)}>
        {label}
      </ActionButton>
      <ScheduleDialog id={id} zone={zone} opened={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}
