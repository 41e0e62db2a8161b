import { Radio, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getOverviewOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import { createInvite } from '../../api/generated/sdk.gen.ts';
import { useRole, useSession, useWhyNot } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import type { Role } from '../../lib/capabilities.ts';
import { pb } from '../../lib/paths.ts';
import { useApiForm } from '../../lib/use-api-form.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { LoadedDialog } from '../../ui/dialog/LoadedDialog.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { toastDone } from '../../ui/toasts.tsx';
import { labelOfRole, ROLE_WORDS, whyNotGive } from './roles.ts';

/** Invites an address. Its link goes to the mailbox alone, which proves whose it is; nobody else is shown it. */
export function InviteMember({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <LoadedDialog opened={opened} onClose={onClose} title="Invite somebody" size="md">
      <InviteForm onClose={onClose} />
    </LoadedDialog>
  );
}

function InviteForm({ onClose }: { onClose: () => void }) {
  const { workspace } = useSession();
  const mine = useRole();
  const whyNot = useWhyNot('workspace:manage');
  const { fields, fail, problem, clear } = useApiForm<{ email: string; role: Role }>({
    initialValues: { email: '', role: 'editor' },
  });
  const write = useWrite({
    call: (body: { email: string; role: Role }) =>
      createInvite({ path: { id: workspace?.id ?? '' }, body, throwOnError: true }),
    changes: ['listInvites', 'listSecurityEvents'],
    onDone: ({ email, role }) => {
      toastDone(`${email} is invited as ${labelOfRole(role).toLowerCase()}.`);
      onClose();
    },
    onError: fail,
  });
  return (
    <Form
      label="Invite somebody"
      problem={problem}
      onSubmit={fields.onSubmit(({ email, role }) => {
        clear();
        write.mutate({ email: email.trim(), role });
      })}
      actions={
        <>
          <ActionButton type="submit" loading={write.isPending} disabledReason={whyNot}>
            Send the invitation
          </ActionButton>
          <ActionButton variant="default" onClick={onClose}>
            Cancel
          </ActionButton>
        </>
      }
    >
      <WhereMailGoes />
      <TextInput
        label="Address"
        description="They get a link, which works once and for seven days."
        type="email"
        placeholder="ada@example.com"
        autoComplete="off"
        data-autofocus
        {...fields.getInputProps('email')}
      />
      <Radio.Group label="Role" {...fields.getInputProps('role')}>
        <Stack gap={8} mt={8}>
          {ROLE_WORDS.map(({ value, label, description }) => {
            const why = mine === undefined || whyNot !== undefined ? undefined : whyNotGive(mine, value);
            return (
              <Radio
                key={value}
                value={value}
                size="xs"
                label={label}
                description={why ?? description}
                disabled={why !== undefined}
              />
            );
          })}
        </Stack>
      </Radio.Group>
    </Form>
  );
}

/** A new installation sends no mail: without this sentence the inviter waits for nothing. */
function WhereMailGoes() {
  const { workspace } = useSession();
  const { data } = useQuery(getOverviewOptions());
  if (data?.provider.name !== 'capture') return null;
  // Mail of the server itself is shown to owners only: the link of an owner's invitation makes an owner.
  const canRead = workspace?.is_home === true && workspace.role === 'owner';
  return (
    <Notice tone="info">
      This server captures mail and sends none.{' '}
      {canRead ? (
        <>
          The invitation is in the <a href={pb.outbox()}>Outbox</a>.
        </>
      ) : (
        'An owner of the home workspace finds the invitation in the Outbox.'
      )}
    </Notice>
  );
}
