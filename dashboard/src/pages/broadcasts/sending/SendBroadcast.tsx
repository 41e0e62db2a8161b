import { Skeleton } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { sendBroadcast } from '../../../api/generated/sdk.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { ifMatchOf, type Settle } from '../../../lib/drafts/use-writing.ts';
import { useWrite } from '../../../api/use-write.ts';
import { faultsByField } from '../../../lib/api-error.ts';
import { counted, formatCount } from '../../../lib/number.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { pb } from '../../../lib/paths.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { ConfirmTyped } from '../../../ui/ConfirmTyped.tsx';
import { toastDone, toastError } from '../../../ui/toasts.tsx';
import { BROADCAST_CHANGES } from '../broadcast-state.ts';
import classes from '../broadcasts.module.css';
import { useAudienceCount } from './use-audience-count.ts';

const FinishBy = lazyPart(
  () => import('./FinishBy.tsx').then((file) => file.FinishBy),
  <Skeleton height={94} radius="md" />,
);

interface Props {
  id: string;
  title: string;
  /** Of the time by which it is to be done. */
  zone: string;
  /** Why it cannot be sent now. */
  held?: string | undefined;
  /** Where the broadcast is being written. */
  settle?: Settle;
  /** Another value counts the audience again. */
  version: unknown;
}

/** Sends at once, after the exact number of people was typed. */
export function SendBroadcast({ id, title, zone, held, settle, version }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [by, setBy] = useState('');
  const [lateWords, setLateWords] = useState<string>();
  const router = useRouter();
  const roleReason = useWhyNot('broadcasts:send');
  const audience = useAudienceCount(id, version, held === undefined);
  const write = useWrite({
    // Now and to everybody, whatever time is stored.
    call: async () =>
      sendBroadcast({
        headers: await ifMatchOf(settle),
        path: { id },
        body: {
          scheduled_for: null,
          timezone: zone,
          recipient_timezone: false,
          finish_by: by === '' ? null : `${by}:00`,
        },
        throwOnError: true,
      }),
    changes: BROADCAST_CHANGES,
    onDone: () => {
      setOpen(false);
      toastDone('The broadcast is on its way.');
      router.history.push(pb.broadcast(id));
    },
    onError: (error) => {
      const { finish_by: late } = faultsByField(error, ['finish_by']).byField;
      setLateWords(late);
      if (late === undefined) toastError(error);
    },
  });
  const { will_send: count = 0, suppressed = 0, unsubscribed = 0 } = audience.data ?? {};
  const nobody = count === 0 ? 'Nobody would get it: everybody in the audience has left or is suppressed.' : undefined;
  const unknown = audience.data === undefined ? 'The number of people is not known yet.' : undefined;
  const open = () => {
    void audience.refetch();
    setLateWords(undefined);
    setOpen(true);
  };
  return (
    <>
      <ActionButton disabledReason={roleReason ?? held ?? unknown ?? nobody} onClick={open}>
        Send now
      </ActionButton>
      <ConfirmTyped
        opened={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={() => write.mutate(undefined)}
        loading={write.isPending}
        title={`Send “${title}”?`}
        expected={formatCount(count)}
        of="the number of people"
        confirm={`Send to ${counted(count, 'person', 'people')}`}
      >
        The broadcast goes to {counted(count, 'person', 'people')} at once. It cannot be called back from those who have
        it.
        {suppressed + unsubscribed > 0 &&
          ` Left out: ${formatCount(unsubscribed)} unsubscribed, ${formatCount(suppressed)} suppressed.`}
        <div className={classes['by']}>
          <FinishBy
            zone={zone}
            value={by}
            error={lateWords}
            onChange={(next) => {
              setBy(next);
              setLateWords(undefined);
            }}
          />
        </div>
      </ConfirmTyped>
    </>
  );
}
