import { Textarea, TextInput } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { createList } from '../../../api/generated/sdk.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { pb } from '../../../lib/paths.ts';
import { useApiForm } from '../../../lib/use-api-form.ts';
import { LoadedDialog } from '../../../ui/dialog/LoadedDialog.tsx';
import { WriteForm } from '../../../ui/form/WriteForm.tsx';
import { toastDone } from '../../../ui/toasts.tsx';
import { EMPTY_LIST, faultOfName, type ListValues, readListValues } from './list-form.ts';

interface Props {
  opened: boolean;
  onClose: () => void;
}

export function NewList({ opened, onClose }: Props) {
  return (
    <LoadedDialog opened={opened} onClose={onClose} title="New list" size="md">
      <NewForm onClose={onClose} />
    </LoadedDialog>
  );
}

function NewForm({ onClose }: Omit<Props, 'opened'>) {
  const router = useRouter();
  const form = useApiForm<ListValues>({
    initialValues: EMPTY_LIST,
    validate: { name: faultOfName },
  });
  const { fields } = form;
  const write = useWrite({
    call: (values: ListValues) => createList({ body: readListValues(values), throwOnError: true }),
    changes: ['listLists'],
    onDone: ({ id, name }) => {
      toastDone(`${name} is created.`);
      router.history.push(pb.list(id));
    },
    onError: form.fail,
  });
  return (
    <WriteForm label="New list" form={form} write={write} submit="Create list" cancel={onClose}>
      <TextInput
        label="Name"
        placeholder="Customers"
        autoComplete="off"
        data-autofocus
        {...fields.getInputProps('name')}
      />
      <Textarea label="Description" autosize minRows={2} {...fields.getInputProps('description')} />
    </WriteForm>
  );
}
