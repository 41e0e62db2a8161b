import { useState } from 'react';
import { sendTestOfIssue } from '../../../api/generated/sdk.gen.ts';
import { useSession, useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { SendTestForm } from '../../../ui/form/SendTestForm.tsx';
import { toastDone } from '../../../ui/toasts.tsx';
import type { IssueIds } from './SendIssue.tsx';

/** One copy to the person, or to somebody else. */
export function SendTest({ path, held }: { path: IssueIds; held?: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const roleReason = useWhyNot('issues:write');
  return (
    <>
      <ActionButton variant="default" disabledReason={roleReason ?? held} onClick={() => setOpen(true)}>
        Send a test
      </ActionButton>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title="Send a test" size="sm">
        <TestForm path={path} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function TestForm({ path, onClose }: { path: IssueIds; onClose: () => void }) {
  const { me } = useSession();
  const write = useWrite({
    call: (to: string) => sendTestOfIssue({ path, body: { to }, throwOnError: true }),
    changes: ['listEmails', 'listCapturedEmails'],
    onDone: (result) => {
      onClose();
      toastDone(`A test is on its way to ${result.to}.`);
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
