import { Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { allLists } from '../../../api/audience.ts';
import { addToList } from '../../../api/generated/sdk.gen.ts';
import type { Contact } from '../../../api/generated/types.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { counted } from '../../../lib/number.ts';
import { pb } from '../../../lib/paths.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { LoadedDialog } from '../../../ui/dialog/LoadedDialog.tsx';
import { Form } from '../../../ui/form/Form.tsx';
import { toastDone } from '../../../ui/toasts.tsx';
import { CONTACTS_CHANGE } from '../contacts-change.ts';
import { addedWords } from './list-words.ts';

interface Props {
  opened: boolean;
  onClose: () => void;
  contacts: readonly Pick<Contact, 'id' | 'email'>[];
  onDone: () => void;
}

/** Puts contacts on a list that is chosen here. */
export function AddToList({ opened, onClose, ...rest }: Props) {
  const { length } = rest.contacts;
  const [first] = rest.contacts;
  const whom = length === 1 && first !== undefined ? first.email : counted(length, 'contact');
  return (
    <LoadedDialog opened={opened} onClose={onClose} title={`Add ${whom} to a list`} size="sm">
      <ChooseForm {...rest} onClose={onClose} />
    </LoadedDialog>
  );
}

function ChooseForm({ contacts, onDone, onClose }: Omit<Props, 'opened'>) {
  const { data: lists } = useQuery(allLists);
  const [id, setId] = useState<string | null>(null);
  const write = useWrite({
    call: (listId: string) =>
      addToList({ path: { id: listId }, body: { contact_ids: contacts.map((one) => one.id) }, throwOnError: true }),
    changes: CONTACTS_CHANGE,
    onDone: (answer) => {
      toastDone(addedWords(answer));
      onDone();
    },
  });
  return (
    <Form
      label="Add to a list"
      problem={write.error ?? undefined}
      onSubmit={(event) => {
        event?.preventDefault();
        if (id !== null) write.mutate(id);
      }}
      actions={
        <>
          <ActionButton
            type="submit"
            loading={write.isPending}
            disabledReason={id === null ? 'Choose a list first.' : undefined}
          >
            Add
          </ActionButton>
          <ActionButton variant="default" onClick={onClose}>
            Cancel
          </ActionButton>
        </>
      }
    >
      {lists?.length === 0 ? (
        <Text size="sm">
          There is no list yet. <a href={`${pb.lists()}?add=1`}>Create one</a>.
        </Text>
      ) : (
        <Select
          label="List"
          data={(lists ?? []).map((one) => ({ value: one.id, label: one.name }))}
          value={id}
          onChange={setId}
          searchable
          data-autofocus
        />
      )}
      <Text size="xs" c="dimmed">
        Nobody comes back to a list that they left themselves.
      </Text>
    </Form>
  );
}
