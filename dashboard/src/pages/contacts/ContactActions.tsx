import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { deleteContact, unsubscribeContact, updateContact } from '../../api/generated/sdk.gen.ts';
import type { Contact } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { pb } from '../../lib/paths.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { ConfirmTyped } from '../../ui/ConfirmTyped.tsx';
import { toastDone, toastError } from '../../ui/toasts.tsx';
import { CONTACTS_CHANGE } from './contacts-change.ts';

type Asked = 'unsubscribe' | 'subscribe' | 'delete' | 'erase';

/** The contact itself is gone, and is not asked for again. */
const REMOVAL_CHANGES = CONTACTS_CHANGE.filter((name) => name !== 'getContact');

/** The actions on one contact. Each cannot be undone here, so the address is typed first. */
export function ContactActions({ contact }: { contact: Contact }) {
  const router = useRouter();
  const whyNot = useWhyNot('contacts:write');
  const [asks, setAsks] = useState<Asked>();
  const path = { id: contact.id };
  const close = () => setAsks(undefined);
  const changed = (words: string) => () => {
    toastDone(words);
    close();
  };
  const unsubscribe = useWrite({
    call: () => unsubscribeContact({ path, body: {}, throwOnError: true }),
    changes: CONTACTS_CHANGE,
    onDone: changed(`${contact.email} is unsubscribed.`),
    onError: toastError,
  });
  const subscribe = useWrite({
    call: () => updateContact({ path, body: { unsubscribed: false }, throwOnError: true }),
    changes: CONTACTS_CHANGE,
    onDone: changed(`${contact.email} is subscribed again.`),
    onError: toastError,
  });
  const remove = useWrite({
    call: (erase: boolean) => deleteContact({ path, query: { erase: erase ? 'true' : 'false' }, throwOnError: true }),
    changes: REMOVAL_CHANGES,
    onDone: (_, erase) => {
      toastDone(erase ? 'The contact is erased.' : 'The contact is deleted.');
      router.history.push(pb.contacts());
    },
    onError: toastError,
  });
  const dialog = (name: Asked) => ({
    opened: asks === name,
    onClose: close,
    expected: contact.email,
    of: 'the address',
    danger: true,
  });
  return (
    <>
      <ActionButton
        variant="default"
        disabledReason={whyNot}
        onClick={() => setAsks(contact.unsubscribed ? 'subscribe' : 'unsubscribe')}
      >
        {contact.unsubscribed ? 'Subscribe again' : 'Unsubscribe'}
      </ActionButton>
      <ActionButton variant="danger" disabledReason={whyNot} onClick={() => setAsks('delete')}>
        Delete
      </ActionButton>
      <ActionButton variant="danger" disabledReason={whyNot} onClick={() => setAsks('erase')}>
        Erase
      </ActionButton>
      <ConfirmTyped
        {...dialog('unsubscribe')}
        title="Unsubscribe this contact?"
        confirm="Unsubscribe"
        onConfirm={() => unsubscribe.mutate(undefined)}
        loading={unsubscribe.isPending}
      >
        They get no more mail to many from this workspace. Single emails, such as receipts, still leave.
      </ConfirmTyped>
      <ConfirmTyped
        {...dialog('subscribe')}
        danger={false}
        title="Subscribe this contact again?"
        confirm="Subscribe again"
        onConfirm={() => subscribe.mutate(undefined)}
        loading={subscribe.isPending}
      >
        Only when the person has asked for it. The security log notes it.
      </ConfirmTyped>
      <ConfirmTyped
        {...dialog('delete')}
        title="Delete this contact?"
        confirm="Delete"
        onConfirm={() => remove.mutate(false)}
        loading={remove.isPending}
      >
        Names, properties and memberships are removed. If they had unsubscribed, a keyed hash of the address keeps them
        unsubscribed when it comes back. Emails stay in the log.
      </ConfirmTyped>
      <ConfirmTyped
        {...dialog('erase')}
        title="Erase this contact?"
        confirm="Erase"
        onConfirm={() => remove.mutate(true)}
        loading={remove.isPending}
      >
        For a person who asks to be forgotten. A keyed hash of the address stays, so that no upload brings them back,
        and the log of requests no longer names them. This cannot be undone.
      </ConfirmTyped>
    </>
  );
}
