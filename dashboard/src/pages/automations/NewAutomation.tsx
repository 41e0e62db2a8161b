import { TextInput } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { createAutomation } from '../../api/generated/sdk.gen.ts';
import type { CreateAutomationRequest } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { pb } from '../../lib/paths.ts';
import { useApiForm } from '../../lib/use-api-form.ts';
import { LoadedDialog } from '../../ui/dialog/LoadedDialog.tsx';
import { WriteForm } from '../../ui/form/WriteForm.tsx';
import { AUTOMATION_CHANGES } from './automation-state.ts';
import { EventTypeInput } from './EventTypeInput.tsx';
import { TemplateSelect } from './TemplateSelect.tsx';

interface Values extends Record<string, unknown> {
  name: string;
  trigger: string;
  steps: string;
}

/** Every automation has a step. Without a template it begins with a wait, which mails nobody. */
const bodyOf = ({ name, trigger, steps: template }: Values): CreateAutomationRequest => ({
  name: name.trim(),
  trigger: { type: trigger },
  steps: [
    template === ''
      ? { key: 'wait', type: 'delay', config: { duration: '1 day' } }
      : { key: 'email', type: 'send_email', config: { template_id: template } },
  ],
});

/** Asks for a name and a trigger, and opens the automation, which is disabled. */
export function NewAutomation({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <LoadedDialog opened={opened} onClose={onClose} title="New automation" size="md">
      <NewForm onClose={onClose} />
    </LoadedDialog>
  );
}

function NewForm({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  const whyNot = useWhyNot('automations:write');
  const form = useApiForm<Values>({
    initialValues: { name: '', trigger: 'newsletter_confirmed', steps: '' },
  });
  const { fields } = form;
  const write = useWrite({
    call: (values: Values) => createAutomation({ body: bodyOf(values), throwOnError: true }),
    changes: AUTOMATION_CHANGES,
    onDone: ({ id }) => router.history.push(pb.automation(id)),
    onError: form.fail,
  });
  const { trigger, steps } = fields.values;
  const errorOf = (field: string) => (fields.errors[field] === undefined ? undefined : String(fields.errors[field]));
  return (
    <WriteForm
      label="New automation"
      form={form}
      write={write}
      submit="Create automation"
      disabledReason={whyNot}
      cancel={onClose}
    >
      <TextInput label="Name" placeholder="Welcome" maxLength={200} data-autofocus {...fields.getInputProps('name')} />
      <EventTypeInput
        label="A run begins when"
        starts
        value={trigger}
        error={errorOf('trigger')}
        readOnly={false}
        onChange={(type) => fields.setFieldValue('trigger', type)}
      />
      <TemplateSelect
        label="First email"
        description="Without one it begins with a wait. It mails nobody before you enable it."
        value={steps}
        error={errorOf('steps')}
        readOnly={false}
        clearable
        onChange={(id) => fields.setFieldValue('steps', id)}
      />
    </WriteForm>
  );
}
