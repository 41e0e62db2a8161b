import { Radio, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { governWorkspace } from '../../api/generated/sdk.gen.ts';
import type { GovernWorkspaceRequest, InstanceWorkspace } from '../../api/generated/types.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { counted } from '../../lib/number.ts';
import { useApiForm } from '../../lib/use-api-form.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { ConfirmTyped } from '../../ui/ConfirmTyped.tsx';
import { LoadedDialog } from '../../ui/dialog/LoadedDialog.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { toastDone } from '../../ui/toasts.tsx';

const STATES = [
  { value: 'active', label: 'Active', description: 'It sends.' },
  { value: 'paused', label: 'Paused', description: 'Sends are refused, and waiting mail is held.' },
  { value: 'blocked', label: 'Blocked', description: 'The API answers 403, and waiting mail is cancelled for good.' },
] as const;

interface Props {
  workspace: InstanceWorkspace;
  onClose: () => void;
}

/** The state and the quota of a workspace. Blocking cancels mail, so it asks for the name. */
export function GovernWorkspace(props: {
  opened: boolean;
  workspace: InstanceWorkspace | undefined;
  onClose: () => void;
}) {
  const { opened, workspace, onClose } = props;
  return (
    <LoadedDialog opened={opened} onClose={onClose} title={workspace?.name ?? 'Workspace'} size="md">
      {workspace !== undefined && <GovernForm key={workspace.id} workspace={workspace} onClose={onClose} />}
    </LoadedDialog>
  );
}

function GovernForm({ workspace, onClose }: Props) {
  const [asks, setAsks] = useState(false);
  const { fields, fail, problem, clear } = useApiForm({
    initialValues: { status: workspace.status, emails_per_month: String(workspace.emails_per_month ?? '') },
    validate: {
      emails_per_month: (text) => (/^\d*$/.test(text.trim()) ? null : 'Enter a whole number, or nothing.'),
    },
  });
  const write = useWrite({
    call: (body: GovernWorkspaceRequest) => governWorkspace({ path: { id: workspace.id }, body, throwOnError: true }),
    changes: ['listInstanceWorkspaces', 'session'],
    onDone: ({ still_leaving: leaving }) => {
      const more = leaving === 0 ? '' : ` ${counted(leaving, 'email was', 'emails were')} leaving already.`;
      toastDone(`${workspace.name} is changed.${more}`);
      onClose();
    },
    onError: (error) => {
      setAsks(false);
      fail(error);
    },
  });
  const save = () => {
    const { status, emails_per_month: quota } = fields.getValues();
    write.mutate({ status, emails_per_month: quota.trim() === '' ? null : Number(quota) });
  };
  return (
    <>
      <Form
        label="Change the workspace"
        problem={problem}
        onSubmit={fields.onSubmit(({ status }) => {
          clear();
          if (status === 'blocked' && workspace.status !== 'blocked') setAsks(true);
          else save();
        })}
        actions={
          <>
            <ActionButton
              type="submit"
              loading={write.isPending}
              disabledReason={fields.isDirty() ? undefined : 'Nothing is changed.'}
            >
              Save
            </ActionButton>
            <ActionButton variant="default" onClick={onClose}>
              Cancel
            </ActionButton>
          </>
        }
      >
        <Radio.Group label="State" {...fields.getInputProps('status')}>
          <Stack gap={8} mt={8}>
            {STATES.map((state) => (
              <Radio key={state.value} size="xs" {...state} />
            ))}
          </Stack>
        </Radio.Group>
        <TextInput
          label="Quota"
          description="Recipients in a calendar month of UTC. Empty: none."
          inputMode="numeric"
          {...fields.getInputProps('emails_per_month')}
        />
      </Form>
      <ConfirmTyped
        opened={asks}
        onClose={() => setAsks(false)}
        onConfirm={save}
        loading={write.isPending}
        title={`Block ${workspace.name}?`}
        expected={workspace.name}
        of="the name of the workspace"
        confirm="Block"
        danger
      >
        Its mail that waits is cancelled and does not come back. To hold the mail, pause the workspace.
      </ConfirmTyped>
    </>
  );
}
