import { useState } from 'react';
import { lazyDialog } from '../../lib/lazy-part.tsx';
import { ActionButton } from '../ActionButton.tsx';
import type { ScheduleDialogProps } from '../dialog/ScheduleDialog.tsx';

const ScheduleDialog = lazyDialog(() => import('../dialog/ScheduleDialog.tsx').then((file) => file.ScheduleDialog));

interface Props extends Omit<ScheduleDialogProps, 'opened' | 'onClose'> {
  label: string;
  disabledReason: string | undefined;
  /** Clears `more`. */
  onOpen?: () => void;
}

/** Sends later, at a time of the clock in a zone. */
export function ScheduleButton({ label, disabledReason, onOpen, ...dialog }: Props) {
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    dialog.write.reset();
    onOpen?.();
    setOpen(true);
  };
  return (
    <>
      <ActionButton variant="default" disabledReason={disabledReason} onClick={open}>
        {label}
      </ActionButton>
      <ScheduleDialog {...dialog} opened={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}
