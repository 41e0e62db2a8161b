import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { allLists } from '../../api/audience.ts';
import { addToList, removeFromList, unsubscribeContact } from '../../api/generated/sdk.gen.ts';
import type { Contact } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { lazyDialog } from '../../lib/lazy-part.tsx';
import { pb } from '../../lib/paths.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { ConfirmTyped } from '../../ui/ConfirmTyped.tsx';
import { Section } from '../../ui/Section.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { toastDone, toastError, toastUndo } from '../../ui/toasts.tsx';
import { CONTACTS_CHANGE } from './contacts-change.ts';
import classes from './contacts.module.css';

const AddToList = lazyDialog(() => import('./lists/AddToList.tsx').then((file) => file.AddToList));

interface Membership {
  id: string;
  name: string;
}

/** The lists that a contact is on, and the two ways off one: taken off by us, or left by the person for good. */
export function ContactLists({ contact }: { contact: Contact }) {
  const whyNot = useWhyNot('contacts:write');
  const { data: lists } = useQuery(allLists);
  const [adds, setAdds] = useState(false);
  const [leaves, setLeaves] = useState<Membership>();
  const body = { contact_ids: [contact.id] };
  const back = useWrite({
    call: ({ id }: Membership) => addToList({ path: { id }, body, throwOnError: true }),
    changes: CONTACTS_CHANGE,
    onDone: (_, { name }) => toastDone(`${contact.email} is on ${name} again.`),
    onError: toastError,
  });
  const remove = useWrite({
    call: ({ id }: Membership) => removeFromList({ path: { id }, body, throwOnError: true }),
    changes: CONTACTS_CHANGE,
    onDone: (_, list) => toastUndo(`Taken off ${list.name}.`, () => back.mutate(list)),
    onError: toastError,
  });
  const leave = useWrite({
    call: ({ id }: Membership) =>
      unsubscribeContact({ path: { id: contact.id }, body: { list_id: id }, throwOnError: true }),
    changes: CONTACTS_CHANGE,
    onDone: (_, { name }) => {
      toastDone(`${contact.email} has left ${name}.`);
      setLeaves(undefined);
    },
    onError: toastError,
  });
  const on = contact.list_ids.map((id) => ({ id, name: lists?.find((one) => one.id === id)?.name ?? 'A list' }));
  return (
    <Section
      title="Lists"
      plain
      actions={
        <ActionButton variant="default" size="xs" disabledReason={whyNot} onClick={() => setAdds(true)}>
          Add to a list
        </ActionButton>
      }
    >
      {on.length === 0 ? (
        <p>On no list.</p>
      ) : (
        <ul className={classes['memberships']}>
          {on.map((list) => (
            <li key={list.id} className={classes['membership']}>
              <a href={pb.list(list.id)}>{list.name}</a>
              <StatusBadge tone={contact.unsubscribed || contact.suppressed ? 'quiet' : 'ok'}>
                {contact.unsubscribed || contact.suppressed ? 'On it, but gets no mail' : 'On it'}
              </StatusBadge>
              <ActionButton
                variant="default"
                size="xs"
                disabledReason={whyNot}
                onClick={() => remove.mutate(list)}
                aria-label={`Take off ${list.name}`}
              >
                Take off
              </ActionButton>
              <ActionButton
                variant="default"
                size="xs"
                disabledReason={whyNot}
                onClick={() => setLeaves(list)}
                aria-label={`Unsubscribe from ${list.name}`}
              >
                Unsubscribe
              </ActionButton>
            </li>
          ))}
        </ul>
      )}
      <AddToList opened={adds} onClose={() => setAdds(false)} contacts={[contact]} onDone={() => setAdds(false)} />
      <ConfirmTyped
        opened={leaves !== undefined}
        onClose={() => setLeaves(undefined)}
        onConfirm={() => leaves !== undefined && leave.mutate(leaves)}
        loading={leave.isPending}
        title={`Unsubscribe from ${leaves?.name ?? 'the list'}?`}
        expected={contact.email}
        of="the address"
        confirm="Unsubscribe"
        danger
      >
        The person wants to leave this list. No import and no bulk change puts them on it again.
      </ConfirmTyped>
    </Section>
  );
}
