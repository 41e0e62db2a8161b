import { useState } from 'react';
import { deleteContact, unsubscribeContact } from '../../api/generated/sdk.gen.ts';
import type { Contact } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { inTurns } from '../../lib/in-turns.ts';
import { lazyDialog } from '../../lib/lazy-part.tsx';
import { counted, formatCount } from '../../lib/number.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { ConfirmTyped } from '../../ui/ConfirmTyped.tsx';
import { toastDone, toastError } from '../../ui/toasts.tsx';
import { CONTACTS_CHANGE } from './contacts-change.ts';

const AddToList = lazyDialog(() => import('./lists/AddToList.tsx').then((file) => file.AddToList));

interface Props {
  rows: readonly Contact[];
  onDone: () => void;
}

/** The actions on chosen contacts. */
export function ContactBulk({ rows, onDone }: Props) {
  const [asks, setAsks] = useState<'list' | 'unsubscribe' | 'delete'>();
  const whyNot = useWhyNot('contacts:write');
  const staying = rows.filter(({ unsubscribed }) => !unsubscribed);
  const close = () => setAsks(undefined);
  const done = (words: string) => () => {
    toastDone(words);
    close();
    onDone();
  };
  const unsubscribe = useEach(
    (path) => unsubscribeContact({ path, body: {}, throwOnError: true }),
    done('Unsubscribed.'),
  );
  const remove = useEach((path) => deleteContact({ path, throwOnError: true }), done('Deleted.'));
  return (
    <>
      <ActionButton variant="default" size="xs" disabledReason={whyNot} onClick={() => setAsks('list')}>
        Add to a list
      </ActionButton>
      <ActionButton
        variant="default"
        size="xs"
        disabledReason={whyNot ?? (staying.length === 0 ? 'None of the selected contacts is subscribed.' : undefined)}
        onClick={() => setAsks('unsubscribe')}
      >
        Unsubscribe
      </ActionButton>
      <ActionButton variant="default" size="xs" disabledReason={whyNot} onClick={() => setAsks('delete')}>
        Delete
      </ActionButton>
      <AddToList
        opened={asks === 'list'}
        onClose={close}
        contacts={rows}
        onDone={() => {
          close();
          onDone();
        }}
      />
      <ConfirmTyped
        opened={asks === 'unsubscribe'}
        onClose={close}
        onConfirm={() => unsubscribe.mutate(staying)}
        loading={unsubscribe.isPending}
        title={`Unsubscribe ${counted(staying.length, 'contact')}?`}
        expected={formatCount(staying.length)}
        of="the number of contacts"
        confirm="Unsubscribe"
        danger
      >
        They get no more mail to many from this workspace.
      </ConfirmTyped>
      <ConfirmTyped
        opened={asks === 'delete'}
        onClose={close}
        onConfirm={() => remove.mutate(rows)}
        loading={remove.isPending}
        title={`Delete ${counted(rows.length, 'contact')}?`}
        expected={formatCount(rows.length)}
        of="the number of contacts"
        confirm="Delete"
        danger
      >
        Their names, properties and memberships are removed. People who had unsubscribed stay so if they come back. This
        cannot be undone; “Change all” can be, for 24 hours.
      </ConfirmTyped>
    </>
  );
}

function useEach(act: (path: { id: string }) => Promise<unknown>, onDone: () => void) {
  return useWrite({
    call: async (rows: readonly Contact[]) => {
      await inTurns(rows, ({ id }) => act({ id }));
      return { data: rows };
    },
    changes: CONTACTS_CHANGE,
    onDone,
    onError: toastError,
  });
}
