import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import {
  cancelBroadcast,
  deleteBroadcast,
  duplicateBroadcast,
  pauseBroadcast,
  resumeBroadcast,
  retryFailedOfBroadcast,
  updateBroadcast,
} from '../../../api/generated/sdk.gen.ts';
import type { Broadcast } from '../../../api/generated/types.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { counted } from '../../../lib/number.ts';
import { pb } from '../../../lib/paths.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { ConfirmTyped } from '../../../ui/ConfirmTyped.tsx';
import { toastDone, toastError } from '../../../ui/toasts.tsx';
import { BROADCAST_CHANGES, shownTitle } from '../broadcast-state.ts';

interface Props {
  broadcast: Broadcast;
}

/** One call, and a sentence when it is done. */
function useAct<Result>(call: () => Promise<{ data: Result }>, onDone: (result: Result) => void) {
  return useWrite({ call, changes: BROADCAST_CHANGES, onDone, onError: toastError });
}

export function DuplicateBroadcast({ broadcast: { id } }: Props) {
  const router = useRouter();
  const write = useAct(
    () => duplicateBroadcast({ path: { id }, throwOnError: true }),
    (made) => router.history.push(pb.broadcastEdit(made.id)),
  );
  return (
    <ActionButton
      variant="default"
      loading={write.isPending}
      disabledReason={useWhyNot('broadcasts:write')}
      onClick={() => write.mutate(undefined)}
    >
      Duplicate
    </ActionButton>
  );
}

/** Stops the emails that have not been released; the answer counts exactly those that still leave. */
export function CancelBroadcast({ broadcast, onCancelled }: Props & { onCancelled: (stillLeaving: number) => void }) {
  const [isOpen, setOpen] = useState(false);
  const { id, status, stats } = broadcast;
  const write = useAct(
    () => cancelBroadcast({ path: { id }, throwOnError: true }),
    ({ alreadyQueued }) => {
      setOpen(false);
      onCancelled(alreadyQueued);
    },
  );
  return (
    <>
      <ActionButton variant="danger" disabledReason={useWhyNot('broadcasts:send')} onClick={() => setOpen(true)}>
        Cancel the broadcast
      </ActionButton>
      <ConfirmTyped
        opened={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={() => write.mutate(undefined)}
        loading={write.isPending}
        title="Cancel this broadcast?"
        expected="cancel"
        of="in small letters"
        confirm="Cancel the broadcast"
        danger
      >
        {status === 'scheduled'
          ? 'It will not be sent. A duplicate of it can be sent later.'
          : `About ${counted(stats.waiting, 'email')} will not be sent. The emails that are in the queue already, about ten seconds of sending, still leave.`}
      </ConfirmTyped>
    </>
  );
}

/** Makes a draft of a scheduled one. */
export function UnscheduleBroadcast({ broadcast: { id } }: Props) {
  const write = useAct(
    () => updateBroadcast({ path: { id }, body: { scheduled_for: null }, throwOnError: true }),
    () => toastDone('The broadcast is a draft again.'),
  );
  return (
    <ActionButton
      variant="default"
      loading={write.isPending}
      disabledReason={useWhyNot('broadcasts:send')}
      onClick={() => write.mutate(undefined)}
    >
      Unschedule
    </ActionButton>
  );
}

export function PauseBroadcast({ broadcast: { id } }: Props) {
  const write = useAct(
    () => pauseBroadcast({ path: { id }, throwOnError: true }),
    ({ alreadyQueued }) =>
      toastDone(
        alreadyQueued === 0
          ? 'The broadcast is paused.'
          : `The broadcast is paused. ${counted(alreadyQueued, 'email')} in the queue still leave.`,
      ),
  );
  return (
    <ActionButton
      variant="default"
      loading={write.isPending}
      disabledReason={useWhyNot('broadcasts:send')}
      onClick={() => write.mutate(undefined)}
    >
      Pause
    </ActionButton>
  );
}

export function ResumeBroadcast({ broadcast: { id } }: Props) {
  const write = useAct(
    () => resumeBroadcast({ path: { id }, throwOnError: true }),
    () => toastDone('The broadcast goes on.'),
  );
  return (
    <ActionButton
      loading={write.isPending}
      disabledReason={useWhyNot('broadcasts:send')}
      onClick={() => write.mutate(undefined)}
    >
      Resume
    </ActionButton>
  );
}

/** Offered only while there are emails that the provider refused. */
export function RetryFailed({ broadcast: { id, stats } }: Props) {
  const write = useAct(
    () => retryFailedOfBroadcast({ path: { id }, throwOnError: true }),
    ({ queued }) => toastDone(`${counted(queued, 'email')} ${queued === 1 ? 'is' : 'are'} tried again.`),
  );
  return (
    <ActionButton
      variant="default"
      loading={write.isPending}
      disabledReason={useWhyNot('broadcasts:send')}
      onClick={() => write.mutate(undefined)}
    >
      Retry {counted(stats.refused, 'refused email')}
    </ActionButton>
  );
}

export function DeleteBroadcast({ broadcast }: Props) {
  const [isOpen, setOpen] = useState(false);
  const router = useRouter();
  const { id } = broadcast;
  const write = useWrite({
    call: () => deleteBroadcast({ path: { id }, throwOnError: true }),
    changes: ['listBroadcasts'],
    onDone: () => {
      toastDone('The broadcast is deleted.');
      router.history.push(pb.broadcasts());
    },
    onError: toastError,
  });
  return (
    <>
      <ActionButton variant="danger" disabledReason={useWhyNot('broadcasts:write')} onClick={() => setOpen(true)}>
        Delete
      </ActionButton>
      <ConfirmTyped
        opened={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={() => write.mutate(undefined)}
        loading={write.isPending}
        title="Delete this broadcast?"
        expected="delete"
        of="in small letters"
        confirm="Delete"
        danger
      >
        “{shownTitle(broadcast)}” is deleted for good. Its emails stay in the record.
      </ConfirmTyped>
    </>
  );
}
