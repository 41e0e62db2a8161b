import { useState } from 'react';
import { sendTestOfBroadcast } from '../../../api/generated/sdk.gen.ts';
import { useSession, useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { SendTestForm } from '../../../ui/form/SendTestForm.tsx';
import { toastDone } from '../../../ui/toasts.tsx';

/** One copy to the person, or to somebody else. */
export function SendTest({ id, held }: { id: string; held?: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const roleReason = useWhyNot('broadcasts:send');
  return (
    <>
      <ActionButton variant="default" disabledReason={roleReason ?? held} onClick={() => setOpen(true)}>
        Send a test
      </ActionButton>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title="Send a test" size="sm">
        <TestForm id={id} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function TestForm({ id, onClose }: { id: string; onClose: () => void }) {
  const { me } = useSession();
  const write = useWrite({
    call: (to: string) => sendTestOfBroadcast({ path: { id }, body: { to }, throwOnError: true }),
    changes: ['listEmails', 'listCapturedEmails'],
    onDone: ({ to }) => {
      onClose();
      toastDone(`A test is on its way to ${to}.`);
    },
  });
  return (
    <SendTestForm
      own={me.email}
      problem={write.error ?? undefined}
      loading={write.isPending}
      onSend={write.mutate}
      onClose={onClose}
    />
  );
}
