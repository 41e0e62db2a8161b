import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { addToList } from '../../../api/generated/sdk.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { readAddresses } from '../../../lib/mail/read-addresses.ts';
import { counted } from '../../../lib/number.ts';
import { useApiForm } from '../../../lib/use-api-form.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { LoadedDialog } from '../../../ui/dialog/LoadedDialog.tsx';
import { WriteForm } from '../../../ui/form/WriteForm.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { toastDone } from '../../../ui/toasts.tsx';
import { CONTACTS_CHANGE } from '../contacts-change.ts';
import { addedWords } from './list-words.ts';

const MANY = 1_000;
/** So many strangers are named; the others are counted. */
const NAMED = 5;

interface Props {
  listId: string;
  opened: boolean;
  onClose: () => void;
}

/** Contacts by their addresses, pasted as they come. */
export function AddMembers({ opened, onClose, listId }: Props) {
  return (
    <LoadedDialog opened={opened} onClose={onClose} title="Add contacts to the list" size="md">
      <AddForm listId={listId} onClose={onClose} />
    </LoadedDialog>
  );
}

function AddForm({ listId, onClose }: Omit<Props, 'opened'>) {
  const [strangers, setStrangers] = useState<readonly string[]>([]);
  const form = useApiForm({
    initialValues: { emails: '' },
    validate: {
      emails: (text) => {
        const { length } = readAddresses(text);
        if (length === 0) return 'Enter at least one address.';
        return length > MANY ? `These are ${counted(length, 'address', 'addresses')}; 1,000 fit at once.` : null;
      },
    },
  });
  const { fields } = form;
  const write = useWrite({
    call: ({ emails }: { emails: string }) =>
      addToList({ path: { id: listId }, body: { emails: readAddresses(emails) }, throwOnError: true }),
    changes: CONTACTS_CHANGE,
    onDone: (answer) => {
      toastDone(addedWords(answer));
      setStrangers(answer.not_found);
      if (answer.not_found.length === 0) onClose();
      else fields.setValues({ emails: answer.not_found.join('\n') });
    },
    onError: form.fail,
  });
  return (
    <WriteForm
      label="Add contacts to the list"
      form={form}
      write={write}
      submit="Add"
      more={
        <ActionButton variant="default" onClick={onClose}>
          {strangers.length === 0 ? 'Cancel' : 'Close'}
        </ActionButton>
      }
    >
      {strangers.length > 0 && <Notice tone="warn">{strangerWords(strangers)}</Notice>}
      <Textarea
        label="Addresses of contacts"
        description="One in each line, or separated by commas. To bring new people, import a file."
        placeholder="ada@example.com"
        autosize
        minRows={4}
        maxRows={12}
        spellCheck={false}
        data-autofocus
        {...fields.getInputProps('emails')}
      />
    </WriteForm>
  );
}

function strangerWords(strangers: readonly string[]): string {
  const named = strangers.slice(0, NAMED).join(', ');
  const rest = strangers.length - NAMED;
  const all = rest > 0 ? `${named} and ${counted(rest, 'other')}` : named;
  return `${strangers.length === 1 ? 'This address is' : 'These addresses are'} of no contact: ${all}.`;
}
