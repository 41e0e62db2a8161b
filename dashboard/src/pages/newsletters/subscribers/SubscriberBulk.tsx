import { useState } from 'react';
import { deleteSubscriber, resendConfirmation, unsubscribeSubscriber } from '../../../api/generated/sdk.gen.ts';
import type { Newsletter, Subscriber } from '../../../api/generated/types.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { toCsv } from '../../../lib/files/csv.ts';
import { download } from '../../../lib/files/download.ts';
import { inTurns } from '../../../lib/in-turns.ts';
import { counted, formatCount } from '../../../lib/number.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { ConfirmTyped } from '../../../ui/ConfirmTyped.tsx';
import { toastDone, toastError } from '../../../ui/toasts.tsx';
import { SUBSCRIBERS_CHANGE } from './subscribers-change.ts';

interface Props {
  newsletter: Newsletter;
  rows: readonly Subscriber[];
  onDone: () => void;
}

type Act = (path: { id: string; subscriberId: string }) => Promise<unknown>;

/** The actions on chosen subscribers. People leave one by one, so that each gets their own event and record. */
export function SubscriberBulk({ newsletter, rows, onDone }: Props) {
  const [asks, setAsks] = useState<'unsubscribe' | 'erase'>();
  const whyNot = useWhyNot('subscribers:write');
  const pending = rows.filter(({ status }) => status === 'pending');
  const staying = rows.filter(({ status }) => status !== 'unsubscribed');
  const done = (words: string) => () => {
    toastDone(words);
    setAsks(undefined);
    onDone();
  };
  const resend = useEach(
    newsletter,
    (path) => resendConfirmation({ path, throwOnError: true }),
    done('Confirmation emails are on their way.'),
  );
  const unsubscribe = useEach(
    newsletter,
    (path) => unsubscribeSubscriber({ path, throwOnError: true }),
    done('Unsubscribed.'),
  );
  const erase = useEach(newsletter, (path) => deleteSubscriber({ path, throwOnError: true }), done('Erased.'));
  const none = (what: string) => `None of the selected people ${what}.`;
  return (
    <>
      <ActionButton variant="default" size="xs" onClick={() => exportRows(newsletter, rows)}>
        Export
      </ActionButton>
      <ActionButton
        variant="default"
        size="xs"
        loading={resend.isPending}
        disabledReason={whyNot ?? (pending.length === 0 ? none('is pending') : undefined)}
        onClick={() => resend.mutate(pending)}
      >
        Resend confirmation
      </ActionButton>
      <ActionButton
        variant="default"
        size="xs"
        disabledReason={whyNot ?? (staying.length === 0 ? none('is subscribed') : undefined)}
        onClick={() => setAsks('unsubscribe')}
      >
        Unsubscribe
      </ActionButton>
      <ActionButton variant="default" size="xs" disabledReason={whyNot} onClick={() => setAsks('erase')}>
        Erase
      </ActionButton>
      <ConfirmTyped
        opened={asks === 'unsubscribe'}
        onClose={() => setAsks(undefined)}
        onConfirm={() => unsubscribe.mutate(staying)}
        loading={unsubscribe.isPending}
        title={`Unsubscribe ${counted(staying.length, 'person', 'people')}?`}
        expected={formatCount(staying.length)}
        of="the number of people"
        confirm="Unsubscribe"
        danger
      >
        They get no more issues of {newsletter.name}. Only they can bring themselves back, by signing up again.
      </ConfirmTyped>
      <ConfirmTyped
        opened={asks === 'erase'}
        onClose={() => setAsks(undefined)}
        onConfirm={() => erase.mutate(rows)}
        loading={erase.isPending}
        title={`Erase ${counted(rows.length, 'person', 'people')}?`}
        expected={formatCount(rows.length)}
        of="the number of people"
        confirm="Erase"
        danger
      >
        Their addresses are removed from this list, from emails, events and consent records within the hour. This cannot
        be undone.
      </ConfirmTyped>
    </>
  );
}

function useEach({ id }: Newsletter, act: Act, onDone: () => void) {
  return useWrite({
    call: async (rows: readonly Subscriber[]) => {
      await inTurns(rows, (row) => act({ id, subscriberId: row.id }));
      return { data: rows };
    },
    changes: SUBSCRIBERS_CHANGE,
    onDone,
    onError: toastError,
  });
}

/** The columns have names that an import recognises. */
function exportRows({ slug }: Newsletter, rows: readonly Subscriber[]): void {
  const lines = rows.map((row) => [
    row.email,
    row.name,
    row.status,
    row.source,
    row.created_at,
    row.confirmed_at,
    row.unsubscribed_at,
    JSON.stringify(row.metadata),
  ]);
  const head = ['email', 'name', 'status', 'source', 'created_at', 'confirmed_at', 'unsubscribed_at', 'metadata'];
  download(`${slug}-selected.csv`, 'text/csv', toCsv([head, ...lines]));
}
