import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { allProperties } from '../../api/audience.ts';
import { createContact } from '../../api/generated/sdk.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { pb } from '../../lib/paths.ts';
import { useApiForm } from '../../lib/use-api-form.ts';
import { LoadedDialog } from '../../ui/dialog/LoadedDialog.tsx';
import { WriteForm } from '../../ui/form/WriteForm.tsx';
import { toastDone } from '../../ui/toasts.tsx';
import { bodyOfNew, type ContactValues, EMPTY_CONTACT, faultOfProperties } from './contact-form.ts';
import { CONTACTS_CHANGE } from './contacts-change.ts';
import { PropertyFields } from './PropertyFields.tsx';

interface Props {
  opened: boolean;
  onClose: () => void;
}

export function AddContact({ opened, onClose }: Props) {
  return (
    <LoadedDialog opened={opened} onClose={onClose} title="Add a contact" size="lg">
      <AddForm onClose={onClose} />
    </LoadedDialog>
  );
}

function AddForm({ onClose }: Omit<Props, 'opened'>) {
  const router = useRouter();
  const { data: known = [] } = useQuery(allProperties);
  const form = useApiForm<ContactValues>({
    initialValues: EMPTY_CONTACT,
    validate: {
      email: (text) => (text.trim() === '' ? 'Enter an address.' : null),
      properties: faultOfProperties,
    },
  });
  const { fields } = form;
  const write = useWrite({
    call: async (values: ContactValues) => {
      const { data, response } = await createContact({ body: bodyOfNew(values), throwOnError: true });
      return { data: { contact: data, isNew: response.status === 201 } };
    },
    changes: CONTACTS_CHANGE,
    onDone: ({ contact, isNew }) => {
      toastDone(isNew ? `${contact.email} is added.` : `${contact.email} was there already, and is as it was.`);
      router.history.push(pb.contact(contact.id));
    },
    onError: form.fail,
  });
  return (
    <WriteForm label="Add a contact" form={form} write={write} submit="Add contact" cancel={onClose}>
      <TextInput
        label="Address"
        type="email"
        placeholder="ada@example.com"
        autoComplete="off"
        data-autofocus
        {...fields.getInputProps('email')}
      />
      <TextInput label="First name" autoComplete="off" {...fields.getInputProps('first_name')} />
      <TextInput label="Last name" autoComplete="off" {...fields.getInputProps('last_name')} />
      <PropertyFields known={known} {...fields.getInputProps('properties')} />
    </WriteForm>
  );
}
