import { Radio, Skeleton, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getInstanceWorkspace, governWorkspace } from '../../api/generated/sdk.gen.ts';
import type { GovernWorkspaceRequest, InstanceWorkspace } from '../../api/generated/types.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { counted } from '../../lib/number.ts';
import { useApiForm } from '../../lib/use-api-form.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { ConfirmTyped } from '../../ui/ConfirmTyped.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { LoadedDialog } from '../../ui/dialog/LoadedDialog.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { toastDone } from '../../ui/toasts.tsx';

const STATES = [
  { value: 'active', label: 'Active', description: 'It sends.' },
  { value: 'paused', label: 'Paused', description: 'Sends are refused, and waiting mail is held.' },
  { value: 'blocked', label: 'Blocked', description: 'The API answers 403, and waiting mail is cancelled for good.' },
] as const;

/** A workspace as it was read, with the tag that a change of it names. */
interface Saved {
  workspace: InstanceWorkspace;
  etag: string;
}

const readForEditing = async (id: string): Promise<Saved> => {
  const { data, response } = await getInstanceWorkspace({ path: { id }, cache: 'no-store', throwOnError: true });
  return { workspace: data, etag: response.headers.get('etag') ?? '' };
};

interface Props {
  saved: Saved;
  /** Another change came before: the form begins anew with what that one made. */
  onOvertaken: () => void;
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
      {workspace !== undefined && <Governing key={workspace.id} id={workspace.id} onClose={onClose} />}
    </LoadedDialog>
  );
}

function Governing({ id, onClose }: { id: string; onClose: () => void }) {
  const [isOvertaken, setOvertaken] = useState(false);
  const read = useQuery({
    queryKey: [{ _id: 'workspaceToGovern', id }],
    queryFn: () => readForEditing(id),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
  const { data: saved, error, refetch } = read;
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (saved === undefined) return <Skeleton height={260} />;
  return (
    <Stack gap={12}>
      {isOvertaken && (
        <Notice tone="warn">Somebody else changed this workspace meanwhile. The form shows it as it is now.</Notice>
      )}
      <GovernForm
        key={saved.etag}
        saved={saved}
        onOvertaken={() => {
          setOvertaken(true);
          void refetch();
        }}
        onClose={onClose}
      />
    </Stack>
  );
}

const isOld = ({ status, param }: ApiError): boolean => status === 409 && param === 'If-Match';

const says = ({ workspace }: Saved, body: GovernWorkspaceRequest): boolean =>
  workspace.status === body.status && workspace.emails_per_month === body.emails_per_month;

function GovernForm({ saved, onOvertaken, onClose }: Props) {
  const { workspace } = saved;
  const [asks, setAsks] = useState(false);
  const { fields, fail, problem, clear } = useApiForm({
    initialValues: { status: workspace.status, emails_per_month: String(workspace.emails_per_month ?? '') },
    validate: {
      emails_per_month: (text) => (/^\d*$/.test(text.trim()) ? null : 'Enter a whole number, or nothing.'),
    },
  });
  const write = useWrite({
    call: ({ body, over }: { body: GovernWorkspaceRequest; over: Saved }) => {
      // A workspace that is as it was asked for: the answer to our own change was lost.
      if (says(over, body)) return Promise.resolve({ data: { still_leaving: 0 } });
      const headers = { 'If-Match': over.etag };
      return governWorkspace({ path: { id: workspace.id }, headers, body, throwOnError: true });
    },
    changes: ['listInstanceWorkspaces', 'session'],
    onDone: ({ still_leaving: leaving }) => {
      const more = leaving === 0 ? '' : ` ${counted(leaving, 'email was', 'emails were')} leaving already.`;
      toastDone(`${workspace.name} is changed.${more}`);
      onClose();
    },
    onError: (error, { body }) => {
      setAsks(false);
      if (!isOld(error)) return fail(error);
      void readForEditing(workspace.id).then(
        (now) => (says(now, body) ? write.mutate({ body, over: now }) : onOvertaken()),
        fail,
      );
    },
  });
  const save = () => {
    const { status, emails_per_month: quota } = fields.getValues();
    write.mutate({ body: { status, emails_per_month: quota.trim() === '' ? null : Number(quota) }, over: saved });
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
