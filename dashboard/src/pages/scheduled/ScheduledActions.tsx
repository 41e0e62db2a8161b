import { useState } from 'react';
import { cancelScheduledEmail, sendScheduledEmailNow } from '../../api/generated/sdk.gen.ts';
import type { ScheduledEmail } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { lazyDialog } from '../../lib/lazy-part.tsx';
import { pb } from '../../lib/paths.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { ConfirmTyped } from '../../ui/ConfirmTyped.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { toastDone, toastError } from '../../ui/toasts.tsx';
import { recipientsOf, SCHEDULED_CHANGES, titleOf, whyClosed } from './scheduled-state.ts';
import classes from './scheduled.module.css';

const RescheduleDialog = lazyDialog(() => import('./RescheduleDialog.tsx').then((file) => file.RescheduleDialog));

/** Everything that can be done until its time has come; disabled with the reason afterwards. */
export function ScheduledActions({ email }: { email: ScheduledEmail }) {
  const [asks, setAsks] = useState<'time' | 'now' | 'cancel'>();
  const roleReason = useWhyNot('scheduled:write');
  const held = roleReason ?? whyClosed(email.status);
  const path = { id: email.id };
  const close = () => setAsks(undefined);
  const onError = (error: unknown) => {
    close();
    toastError(error);
  };
  const cancel = useWrite({
    call: () => cancelScheduledEmail({ path, throwOnError: true }),
    changes: SCHEDULED_CHANGES,
    onDone: () => {
      close();
      toastDone('Cancelled. It is never sent.');
    },
    onError,
  });
  const sendNow = useWrite({
    call: () => sendScheduledEmailNow({ path, throwOnError: true }),
    changes: SCHEDULED_CHANGES,
    onDone: () => {
      close();
      toastDone('It is sent now.');
    },
    onError,
  });
  return (
    <>
      <ActionButton variant="danger" disabledReason={held} onClick={() => setAsks('cancel')}>
        Cancel the email
      </ActionButton>
      <ActionButton variant="default" disabledReason={held} href={pb.scheduledEdit(email.id)}>
        Edit
      </ActionButton>
      <ActionButton variant="default" disabledReason={held} onClick={() => setAsks('now')}>
        Send now
      </ActionButton>
      <ActionButton disabledReason={held} onClick={() => setAsks('time')}>
        Reschedule
      </ActionButton>
      <RescheduleDialog email={email} opened={asks === 'time'} onClose={close} />
      <Dialog opened={asks === 'now'} onClose={close} title="Send it now?" size="sm">
        <p className={classes['ask']}>
          “{titleOf(email)}” is sent to {recipientsOf(email)} at once. This cannot be taken back.
        </p>
        <div className={classes['buttons']}>
          <ActionButton loading={sendNow.isPending} onClick={() => sendNow.mutate(undefined)}>
            Send now
          </ActionButton>
          <ActionButton variant="default" onClick={close}>
            Back
          </ActionButton>
        </div>
      </Dialog>
      <ConfirmTyped
        opened={asks === 'cancel'}
        onClose={close}
        onConfirm={() => cancel.mutate(undefined)}
        loading={cancel.isPending}
        title="Cancel this email?"
        expected="cancel"
        of="in small letters"
        confirm="Cancel the email"
        danger
      >
        It is never sent. Nothing brings it back.
      </ConfirmTyped>
    </>
  );
}
