import { useState } from 'react';
import { useWhyNot } from '../../../api/session.ts';
import { lazyDialog } from '../../../lib/lazy-part.tsx';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import type { IssueIds } from './SendIssue.tsx';

const ScheduleDialog = lazyDialog(() => import('./ScheduleDialog.tsx').then((file) => file.ScheduleDialog));

interface Props {
  path: IssueIds;
  /** Of the newsletter. */
  zone: string;
  label?: string;
  held?: string | undefined;
}

/** Sends later, at a time of the clock in a zone. */
export function ScheduleIssue({ path, zone, label = 'Schedule', held }: Props) {
  const [isOpen, setOpen] = useState(false);
  const roleReason = useWhyNot('issues:send');
  return (
    <>
      <ActionButton variant="default" disabledReason={roleReason ?? held} onClick={() => setOpen(true)}>
        {label}
      </ActionButton>
      <ScheduleDialog path={path} zone={zone} opened={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}
