import type { ComponentProps } from 'react';
import type { Write } from '../../lib/write.ts';
import { ScheduleForm } from '../form/ScheduleForm.tsx';
import { LoadedDialog } from './LoadedDialog.tsx';

export interface ScheduleDialogProps {
  opened: boolean;
  /** "issue", "broadcast". */
  noun: string;
  /** How far ahead it may be, as a sentence. */
  range: string;
  /** The zone to begin with. */
  zone: string;
  write: Write<{ scheduled_for: string; timezone: string }>;
  onClose: () => void;
  /** Below the time. */
  more?: ComponentProps<typeof ScheduleForm>['more'];
}

/** Loaded by `ui/form/ScheduleButton` only. */
export function ScheduleDialog({ opened, noun, range, zone, write, onClose, more }: ScheduleDialogProps) {
  return (
    <LoadedDialog opened={opened} onClose={onClose} title="When should it be sent?" size="sm">
      <ScheduleForm
        label={`Schedule the ${noun}`}
        submit="Schedule"
        range={range}
        zone={zone}
        subject={`The ${noun}`}
        problem={write.error ?? undefined}
        loading={write.isPending}
        onSchedule={(time) => write.mutate(time, { onSuccess: onClose })}
        onClose={onClose}
        more={more}
      />
    </LoadedDialog>
  );
}
