import { useState } from 'react';
import type { Write } from '../../lib/write.ts';
import { ActionButton } from '../ActionButton.tsx';
import { Dialog } from '../Dialog.tsx';
import { SendTestForm } from './SendTestForm.tsx';

interface Props {
  /** The person's own address. */
  own: string;
  write: Write<string>;
  disabledReason: string | undefined;
}

/** Sends one copy to the person, or to somebody else. */
export function SendTestButton({ own, write, disabledReason }: Props) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const open = () => {
    write.reset();
    setOpen(true);
  };
  return (
    <>
      <ActionButton variant="default" disabledReason={disabledReason} onClick={open}>
        Send a test
      </ActionButton>
      <Dialog opened={isOpen} onClose={close} title="Send a test" size="sm">
        <SendTestForm
          own={own}
          problem={write.error ?? undefined}
          loading={write.isPending}
          onSend={(to) => write.mutate(to, { onSuccess: close })}
          onClose={close}
        />
      </Dialog>
    </>
  );
}
