import { Checkbox, Text, Textarea, TextInput } from '@mantine/core';
import { createSubscriber } from '../../../api/generated/sdk.gen.ts';
import type { CreateSubscriberRequest, Newsletter } from '../../../api/generated/types.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { useApiForm } from '../../../lib/use-api-form.ts';
import { LoadedDialog } from '../../../ui/dialog/LoadedDialog.tsx';
import { WriteForm } from '../../../ui/form/WriteForm.tsx';
import { toastDone } from '../../../ui/toasts.tsx';
import { SUBSCRIBERS_CHANGE } from './subscribers-change.ts';

interface Props {
  newsletter: Newsletter;
  opened: boolean;
  onClose: () => void;
}

export function AddSubscriber({ newsletter, opened, onClose }: Props) {
  return (
    <LoadedDialog opened={opened} onClose={onClose} title="Add a subscriber" size="md">
      <AddForm newsletter={newsletter} onClose={onClose} />
    </LoadedDialog>
  );
}

interface Values extends Record<string, unknown> {
  email: string;
  name: string;
  skip_confirmation: boolean;
  resubscribe: boolean;
  consent: string;
}

function bodyOf({ email, name, skip_confirmation, resubscribe, consent }: Values): CreateSubscriberRequest {
  return {
    email: email.trim(),
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    ...(resubscribe ? { resubscribe } : {}),
    ...(skip_confirmation ? { skip_confirmation } : {}),
    ...(skip_confirmation && consent.trim() !== '' ? { consent: { text: consent.trim() } } : {}),
  };
}

function AddForm({ newsletter, onClose }: Omit<Props, 'opened'>) {
  const form = useApiForm<Values>({
    initialValues: { email: '', name: '', skip_confirmation: false, resubscribe: false, consent: '' },
    validate: { email: (text) => (text.trim() === '' ? 'Enter an address.' : null) },
  });
  const { fields } = form;
  const write = useWrite({
    call: (values: Values) =>
      createSubscriber({ path: { id: newsletter.id }, body: bodyOf(values), throwOnError: true }),
    changes: SUBSCRIBERS_CHANGE,
    onDone: ({ email, status }) => {
      if (status === 'pending') toastDone(`${email} is pending until the confirmation email is answered.`);
      else toastDone(`${email} is ${status === 'active' ? 'on the list' : 'unsubscribed, and stays so'}.`);
      onClose();
    },
    onError: form.fail,
  });
  const { skip_confirmation: skips } = fields.values;
  return (
    <WriteForm label="Add a subscriber" form={form} write={write} submit="Add" cancel={onClose}>
      <TextInput
        label="Address"
        type="email"
        placeholder="ada@example.com"
        autoComplete="off"
        data-autofocus
        {...fields.getInputProps('email')}
      />
      <TextInput label="Name" placeholder="Ada Lovelace" autoComplete="off" {...fields.getInputProps('name')} />
      {newsletter.double_opt_in && (
        <Checkbox
          label="Skip the confirmation email"
          description="They are active at once. You vouch that they agreed."
          {...fields.getInputProps('skip_confirmation', { type: 'checkbox' })}
        />
      )}
      {skips && (
        <Textarea
          label="How did they agree?"
          description="It is kept in the consent record of this person."
          placeholder="Asked at our stand, 12 November"
          autosize
          minRows={2}
          {...fields.getInputProps('consent')}
        />
      )}
      <Checkbox
        label="Bring the person back if they have left"
        description="Only for somebody who asked you to. Without it, a person who left stays unsubscribed."
        {...fields.getInputProps('resubscribe', { type: 'checkbox' })}
      />
      {newsletter.double_opt_in && !skips && (
        <Text size="xs" c="dimmed">
          They get an email with a link, and are pending until they follow it.
        </Text>
      )}
    </WriteForm>
  );
}
