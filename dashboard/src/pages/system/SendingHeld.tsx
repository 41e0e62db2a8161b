import { resumeSending } from '../../api/generated/sdk.gen.ts';
import type { SendingHold } from '../../api/generated/types.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { ConfirmTyped } from '../../ui/ConfirmTyped.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { toastDone, toastError } from '../../ui/toasts.tsx';

/** Nothing is sent since the database was restored or copied; the operator ends that here. */
export function SendingHeld({ hold }: { hold: SendingHold }) {
  const [{ dialog }, setUrl] = useUrlState(['dialog']);
  const close = () => setUrl({ dialog: undefined });
  const write = useWrite({
    call: () => resumeSending({ throwOnError: true }),
    changes: ['getSystem', 'getOverview', 'getHealth', 'getQueue', 'checkProvider'],
    onDone: () => {
      close();
      toastDone('Sending goes on.');
    },
    onError: toastError,
  });
  return (
    <>
      <Notice
        tone="bad"
        action={
          <ActionButton size="xs" onClick={() => setUrl({ dialog: 'resume-sending' })}>
            Resume sending
          </ActionButton>
        }
      >
        Sending is held since <RelativeTime at={hold.since} />. {hold.message}
      </Notice>
      <ConfirmTyped
        opened={dialog === 'resume-sending'}
        onClose={close}
        onConfirm={() => write.mutate(undefined)}
        loading={write.isPending}
        title="Resume sending?"
        expected="resume sending"
        of="these two words"
        confirm="Resume sending"
        danger
      >
        Everything that waits is sent, also what another copy of this database may have sent already. Make sure that no
        other Posthorn sends from a copy.
      </ConfirmTyped>
    </>
  );
}
