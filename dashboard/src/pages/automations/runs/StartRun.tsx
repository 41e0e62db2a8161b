import { Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { startAutomationRun, testAutomation } from '../../../api/generated/sdk.gen.ts';
import type { Automation } from '../../../api/generated/types.gen.ts';
import { useSession, useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { pb } from '../../../lib/paths.ts';
import { useApiForm } from '../../../lib/use-api-form.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { LoadedDialog } from '../../../ui/dialog/LoadedDialog.tsx';
import { Form } from '../../../ui/form/Form.tsx';
import { toastDone } from '../../../ui/toasts.tsx';
import { RUN_CHANGES } from '../automation-state.ts';
import { givenPayload, NO_OBJECT, readPayload } from '../simulate/simulate-form.ts';

interface Props {
  automation: Automation;
  opened: boolean;
  onClose: () => void;
}

interface Values extends Record<string, unknown> {
  kind: 'test' | 'run';
  email: string;
  payload: string;
}

/** Lets one person in by hand: as a test, or as if the trigger had fired. */
export const StartRun = ({ automation, opened, onClose }: Props) => (
  <LoadedDialog opened={opened} onClose={onClose} title="Start a run" size="md">
    <StartForm automation={automation} onClose={onClose} />
  </LoadedDialog>
);

function StartForm({ automation: { id, status }, onClose }: Omit<Props, 'opened'>) {
  const router = useRouter();
  const { me } = useSession();
  const maySend = useWhyNot('emails:send');
  const { fields, fail, problem, clear } = useApiForm<Values>({
    initialValues: { kind: 'test', email: me.email, payload: '' },
  });
  const { kind } = fields.values;
  const notReal = status === 'enabled' ? maySend : 'The automation is disabled: nobody enters.';
  const write = useWrite({
    call: ({ kind: which, email, payload }: Values) =>
      (which === 'test' ? testAutomation : startAutomationRun)({
        path: { id },
        body: { email: email.trim(), ...givenPayload(payload) },
        throwOnError: true,
      }),
    changes: RUN_CHANGES,
    onDone: ({ run_id: run }, { email }) => {
      if (run === null) toastDone(`${email} has been in, and may not enter again yet. Nothing was started.`);
      else router.history.push(pb.automationRun(id, run));
      onClose();
    },
    onError: fail,
  });
  return (
    <Form
      label="Start a run"
      problem={problem}
      onSubmit={fields.onSubmit((values) => {
        clear();
        if (readPayload(values.payload) === undefined) fields.setFieldError('payload', NO_OBJECT);
        else write.mutate(values);
      })}
      actions={
        <>
          <ActionButton type="submit" loading={write.isPending}>
            {kind === 'test' ? 'Start the test' : 'Start the run'}
          </ActionButton>
          <ActionButton variant="default" onClick={onClose}>
            Cancel
          </ActionButton>
        </>
      }
    >
      <Radio.Group label="As" {...fields.getInputProps('kind')}>
        <Stack gap={10} mt={6}>
          <Radio
            size="xs"
            value="test"
            label="A test"
            description="Emails are really sent. Waits pass at once, no contact changes, no webhook is called, and no figure counts it."
          />
          <Radio
            size="xs"
            value="run"
            label="A real run"
            description={notReal ?? 'As if the trigger had fired for this person.'}
            disabled={notReal !== undefined}
          />
        </Stack>
      </Radio.Group>
      <TextInput label="Person" type="email" {...fields.getInputProps('email')} />
      <Textarea
        label="Payload"
        description="What the event would bring, as JSON. Templates see its fields."
        placeholder='{"order_id": "42"}'
        autosize
        minRows={2}
        maxRows={10}
        spellCheck={false}
        {...fields.getInputProps('payload')}
      />
    </Form>
  );
}
