import { SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { addSuppressions } from '../../api/generated/sdk.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { counted } from '../../lib/number.ts';
import { useApiForm } from '../../lib/use-api-form.ts';
import { LoadedDialog } from '../../ui/dialog/LoadedDialog.tsx';
import { WriteForm } from '../../ui/form/WriteForm.tsx';
import { toastDone } from '../../ui/toasts.tsx';
import { readAddresses } from '../../lib/mail/read-addresses.ts';

const BATCH_MAX = 1000;

/** One address or a thousand, pasted as they come: the server says which of them it does not take. */
export function AddSuppressions({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <LoadedDialog opened={opened} onClose={onClose} title="Suppress addresses" size="md">
      <AddForm onClose={onClose} />
    </LoadedDialog>
  );
}

function AddForm({ onClose }: { onClose: () => void }) {
  const form = useApiForm({
    initialValues: { emails: '', reason: 'manual' as 'manual' | 'unsubscribe', note: '' },
    validate: {
      emails: (text) => {
        const { length } = readAddresses(text);
        if (length === 0) return 'Enter at least one address.';
        if (length > BATCH_MAX)
          return `These are ${counted(length, 'address', 'addresses')}; ${BATCH_MAX} fit at once.`;
        return null;
      },
    },
  });
  const { fields } = form;
  const write = useWrite({
    call: (values: { emails: string; reason: 'manual' | 'unsubscribe'; note: string }) =>
      addSuppressions({
        body: {
          emails: readAddresses(values.emails),
          reason: values.reason,
          ...(values.note.trim() === '' ? {} : { note: values.note.trim() }),
        },
        throwOnError: true,
      }),
    changes: ['listSuppressions'],
    onDone: ({ added, existing }) => {
      const already = existing === 0 ? '' : ` ${counted(existing, 'was', 'were')} on the list already.`;
      toastDone(`${counted(added, 'address is', 'addresses are')} suppressed.${already}`);
      onClose();
    },
    onError: form.fail,
  });
  const count = readAddresses(fields.values.emails).length;
  return (
    <WriteForm
      label="Suppress addresses"
      form={form}
      write={write}
      submit={count > 1 ? `Suppress ${count} addresses` : 'Suppress'}
      cancel={onClose}
    >
      <Textarea
        label="Addresses"
        description="One in each line, or separated by commas."
        placeholder="ada@example.com"
        autosize
        minRows={4}
        maxRows={12}
        data-autofocus
        spellCheck={false}
        {...fields.getInputProps('emails')}
      />
      <SegmentedControl
        aria-label="Reason"
        fullWidth
        size="xs"
        data={[
          { value: 'manual', label: 'My own decision' },
          { value: 'unsubscribe', label: 'They asked for it' },
        ]}
        {...fields.getInputProps('reason')}
      />
      <TextInput label="Note" placeholder="Asked by phone" {...fields.getInputProps('note')} />
    </WriteForm>
  );
}
