import { TextInput } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { createBroadcast } from '../../api/generated/sdk.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { pb } from '../../lib/paths.ts';
import { useApiForm } from '../../lib/use-api-form.ts';
import { LoadedDialog } from '../../ui/dialog/LoadedDialog.tsx';
import { WriteForm } from '../../ui/form/WriteForm.tsx';

/** Asks for a name, and opens the draft in the editor. */
export function NewBroadcast({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <LoadedDialog opened={opened} onClose={onClose} title="New broadcast" size="sm">
      <NewForm onClose={onClose} />
    </LoadedDialog>
  );
}

function NewForm({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  const whyNot = useWhyNot('broadcasts:write');
  const form = useApiForm({ initialValues: { name: '' } });
  const { fields } = form;
  const write = useWrite({
    call: ({ name }: { name: string }) => createBroadcast({ body: { name: name.trim() }, throwOnError: true }),
    changes: ['listBroadcasts'],
    onDone: ({ id }) => router.history.push(pb.broadcastEdit(id)),
    onError: form.fail,
  });
  return (
    <WriteForm
      label="New broadcast"
      form={form}
      write={write}
      submit="Create draft"
      disabledReason={whyNot}
      cancel={onClose}
    >
      <TextInput
        label="Name"
        description="For you; no recipient sees it."
        placeholder="Black Friday"
        maxLength={200}
        data-autofocus
        {...fields.getInputProps('name')}
      />
    </WriteForm>
  );
}
