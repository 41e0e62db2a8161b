import { Text, Textarea, TextInput } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { deleteList, updateList } from '../../../api/generated/sdk.gen.ts';
import type { ContactList } from '../../../api/generated/types.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { counted } from '../../../lib/number.ts';
import { pb } from '../../../lib/paths.ts';
import { useApiForm } from '../../../lib/use-api-form.ts';
import { DeleteByName } from '../../../ui/DeleteByName.tsx';
import { SaveForm } from '../../../ui/form/WriteForm.tsx';
import { Section } from '../../../ui/Section.tsx';
import { toastDone, toastError } from '../../../ui/toasts.tsx';
import classes from '../contacts.module.css';
import { faultOfName, type ListValues, readListValues, valuesOfList } from './list-form.ts';

/** The name and the description of a list, and its end. */
export function ListSettings({ list }: { list: ContactList }) {
  const whyNot = useWhyNot('contacts:write');
  const form = useApiForm<ListValues>({
    initialValues: valuesOfList(list),
    validate: { name: faultOfName },
  });
  const { fields } = form;
  const write = useWrite({
    call: (values: ListValues) =>
      updateList({ path: { id: list.id }, body: readListValues(values), throwOnError: true }),
    changes: ['listLists', 'getList'],
    onDone: (saved) => {
      fields.setInitialValues(valuesOfList(saved));
      fields.setValues(valuesOfList(saved));
      toastDone('The list is changed.');
    },
    onError: form.fail,
  });
  return (
    <div className={classes['settings']}>
      <SaveForm label="Settings of the list" form={form} write={write} disabledReason={whyNot}>
        <TextInput label="Name" {...fields.getInputProps('name')} />
        <Textarea label="Description" autosize minRows={2} {...fields.getInputProps('description')} />
      </SaveForm>
      <DeleteList list={list} whyNot={whyNot} />
    </div>
  );
}

function DeleteList({
  list: { id, name, contact_count: count },
  whyNot,
}: {
  list: ContactList;
  whyNot: string | undefined;
}) {
  const router = useRouter();
  const write = useWrite({
    call: () => deleteList({ path: { id }, throwOnError: true }),
    changes: ['listLists', 'listContacts', 'getContact'],
    onDone: () => {
      toastDone(`${name} is deleted.`);
      router.history.push(pb.lists());
    },
    onError: toastError,
  });
  return (
    <Section title="Delete the list" plain>
      <Text size="sm" mb="sm" c="dimmed">
        Its contacts stay.
      </Text>
      <DeleteByName name={name} noun="list" write={write} disabledReason={whyNot}>
        {counted(count, 'contact')} {count === 1 ? 'is' : 'are'} no longer on it, and stay as contacts. Segments that
        name the list find nobody on it. This cannot be undone.
      </DeleteByName>
    </Section>
  );
}
