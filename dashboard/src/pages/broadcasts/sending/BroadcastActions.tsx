import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { countRetryableOfBroadcastOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
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
import {
  cancelScheduledWords,
  cancelWords,
  NO_RETRY,
  pausedWords,
  retriedWords,
  retryWords,
} from '../../../ui/results/mailing-words.ts';
import { toastDone, toastError } from '../../../ui/toasts.tsx';
import { TypedButton } from '../../../ui/TypedButton.tsx';
import { WriteButton } from '../../../ui/WriteButton.tsx';
import { BROADCAST_CHANGES, shownTitle } from '../broadcast-state.ts';
import { useAudienceCount } from './use-audience-count.ts';

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
    <WriteButton variant="default" write={write} disabledReason={useWhyNot('broadcasts:write')}>
      Duplicate
    </WriteButton>
  );
}

/** Stops the emails that have not been released; the answer counts exactly those that still leave. */
export function CancelBroadcast({ broadcast, onCancelled }: Props & { onCancelled: (stillLeaving: number) => void }) {
  const write = useAct(
    () => cancelBroadcast({ path: { id: broadcast.id }, throwOnError: true }),
    ({ alreadyQueued }) => onCancelled(alreadyQueued),
  );
  return (
    <TypedButton
      label="Cancel the broadcast"
      write={write}
      disabledReason={useWhyNot('broadcasts:send')}
      title="Cancel this broadcast?"
      expected="cancel"
      of="in small letters"
      confirm="Cancel the broadcast"
    >
      {broadcast.status === 'scheduled' ? <ScheduledCancel broadcast={broadcast} /> : cancelWords(broadcast)}
    </TypedButton>
  );
}

/** Of the people who would get it now: they are written down when its time comes. */
function ScheduledCancel({ broadcast: { id, updated_at: version } }: Props) {
  const { data } = useAudienceCount(id, version, true);
  return cancelScheduledWords(data && counted(data.will_send, 'person', 'people'));
}

/** Makes a draft of a scheduled one. */
export function UnscheduleBroadcast({ broadcast: { id } }: Props) {
  const write = useAct(
    () => updateBroadcast({ path: { id }, body: { scheduled_for: null }, throwOnError: true }),
    () => toastDone('The broadcast is a draft again. It is sent when you say so.'),
  );
  return (
    <WriteButton variant="default" write={write} disabledReason={useWhyNot('broadcasts:send')}>
      Back to draft
    </WriteButton>
  );
}

export function PauseBroadcast({ broadcast: { id } }: Props) {
  const write = useAct(
    () => pauseBroadcast({ path: { id }, throwOnError: true }),
    ({ alreadyQueued }) => toastDone(pausedWords('broadcast', alreadyQueued)),
  );
  return (
    <WriteButton variant="default" write={write} disabledReason={useWhyNot('broadcasts:send')}>
      Pause
    </WriteButton>
  );
}

export function ResumeBroadcast({ broadcast: { id } }: Props) {
  const write = useAct(
    () => resumeBroadcast({ path: { id }, throwOnError: true }),
    () => toastDone('The broadcast goes on.'),
  );
  return (
    <WriteButton write={write} disabledReason={useWhyNot('broadcasts:send')}>
      Resume
    </WriteButton>
  );
}

/** Offered only while there are emails that the provider refused. */
export function RetryFailed({ broadcast: { id } }: Props) {
  const whyNot = useWhyNot('broadcasts:send');
  const { data } = useQuery({ ...countRetryableOfBroadcastOptions({ path: { id } }), staleTime: 0 });
  const write = useAct(
    () => retryFailedOfBroadcast({ path: { id }, throwOnError: true }),
    ({ queued }) => toastDone(retriedWords(queued)),
  );
  return (
    <WriteButton variant="default" write={write} disabledReason={whyNot ?? (data?.count === 0 ? NO_RETRY : undefined)}>
      {retryWords(data)}
    </WriteButton>
  );
}

export function DeleteBroadcast({ broadcast }: Props) {
  const router = useRouter();
  const write = useWrite({
    call: () => deleteBroadcast({ path: { id: broadcast.id }, throwOnError: true }),
    changes: ['listBroadcasts'],
    onDone: () => {
      toastDone('The broadcast is deleted.');
      router.history.push(pb.broadcasts());
    },
    onError: toastError,
  });
  return (
    <TypedButton
      label="Delete"
      write={write}
      disabledReason={useWhyNot('broadcasts:write')}
      title="Delete this broadcast?"
      expected="delete"
      of="in small letters"
      confirm="Delete"
    >
      “{shownTitle(broadcast)}” is deleted for good. Its emails stay in the record.
    </TypedButton>
  );
}
