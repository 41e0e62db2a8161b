import { Textarea, TextInput } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { createList } from '../../../api/generated/sdk.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { pb } from '../../../lib/paths.ts';
import { useApiForm } from '../../../lib/use-api-form.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { LoadedDialog } from '../../../ui/dialog/LoadedDialog.tsx';
import { Form } from '../../../ui/form/Form.tsx';
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
  const { fields, fail, problem, clear } = useApiForm<ListValues>({
    initialValues: EMPTY_LIST,
    validate: { name: faultOfName },
  });
  const write = useWrite({
    call: (values: ListValues) => createList({ body: readListValues(values), throwOnError: true }),
    changes: ['listLists'],
    onDone: ({ id, name }) => {
      toastDone(`${name} is created.`);
      router.history.push(pb.list(id));
    },
    onError: fail,
  });
  return (
    <Form
      label="New list"
      problem={problem}
      onSubmit={fields.onSubmit((values) => {
        clear();
        write.mutate(values);
      })}
      actions={
        <>
          <ActionButton type="submit" loading={write.isPending}>
            Create list
          </ActionButton>
          <ActionButton variant="default" onClick={onClose}>
            Cancel
          </ActionButton>
        </>
      }
    >
      <TextInput
        label="Name"
        placeholder="Customers"
        autoComplete="off"
        data-autofocus
        {...fields.getInputProps('name')}
      />
      <Textarea label="Description" autosize minRows={2} {...fields.getInputProps('description')} />
    </Form>
  );
}
