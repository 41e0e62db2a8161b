import { Radio, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getMemberOptions, listMembersOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import { changeMemberRole } from '../../api/generated/sdk.gen.ts';
import type { Member } from '../../api/generated/types.gen.ts';
import { useRole, useSession } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import type { Role } from '../../lib/capabilities.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { LoadedDialog } from '../../ui/dialog/LoadedDialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Properties } from '../../ui/record/Properties.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { toastDone, toastError, toastUndo } from '../../ui/toasts.tsx';
import { RemoveMember } from './RemoveMember.tsx';
import { labelOfRole, ROLE_WORDS, whyNotChange, whyNotGive, whyNotRemove } from './roles.ts';

interface Props {
  opened: boolean;
  /** Undefined while the dialog closes. */
  userId: string | undefined;
  /** The row of the list, when it is on the page. */
  known: Member | undefined;
  onClose: () => void;
}

/** One member: their role, and how they leave. */
export const MemberDialog = ({ opened, userId, known, onClose }: Props) => (
  <LoadedDialog opened={opened} onClose={onClose} title="Member" size="md">
    {userId !== undefined && <OneMember key={userId} userId={userId} known={known} onClose={onClose} />}
  </LoadedDialog>
);

function OneMember({ userId, known, onClose }: { userId: string } & Pick<Props, 'known' | 'onClose'>) {
  const { workspace } = useSession();
  const id = workspace?.id ?? '';
  const { data, error, refetch } = useQuery({
    ...getMemberOptions({ path: { id, userId } }),
    ...(known === undefined ? {} : { placeholderData: known }),
  });
  if (data === undefined) {
    return error === null ? <Skeleton height={240} /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  return <Body key={data.role} member={data} workspaceId={id} onClose={onClose} />;
}

/** Two owners are enough to know that nobody is the last one. Undefined until that is known. */
function useIsLastOwner(workspaceId: string, { role }: Member): boolean | undefined {
  const owners = useQuery({
    ...listMembersOptions({ path: { id: workspaceId }, query: { role: 'owner', limit: '2' } }),
    enabled: role === 'owner',
  });
  if (role !== 'owner') return false;
  // When the question fails, the server still refuses what the last owner may not do.
  return owners.error === null ? owners.data && owners.data.data.length === 1 : false;
}

function Body({ member, workspaceId, onClose }: { member: Member; workspaceId: string; onClose: () => void }) {
  const { me } = useSession();
  const mine = useRole();
  const [isRemoving, setRemoving] = useState(false);
  const [role, setRole] = useState<Role>(member.role);
  const isLastOwner = useIsLastOwner(workspaceId, member);
  const isMe = member.user_id === me.id;
  const name = member.name ?? member.email;
  const write = useChangeRole(workspaceId, member, name, onClose);
  if (isLastOwner === undefined) return <Skeleton height={240} />;
  const standing = { mine, isMe, theirs: member.role, isLastOwner };
  if (isRemoving)
    return <RemoveMember member={member} isMe={isMe} onBack={() => setRemoving(false)} onDone={onClose} />;
  const whyNot = whyNotChange(standing);
  return (
    <Stack gap={16}>
      <Properties
        items={[
          ...(member.name === null ? [] : [{ label: 'Name', value: member.name }]),
          { label: 'Address', value: member.email, copy: member.email },
          { label: 'Joined', value: <RelativeTime at={member.joined_at} /> },
          { label: 'Last seen', value: <RelativeTime at={member.last_seen_at} /> },
          { label: 'User id', value: member.user_id, copy: member.user_id, mono: true },
        ]}
      />
      <Form
        label={`Role of ${name}`}
        onSubmit={(event) => {
          event?.preventDefault();
          write.mutate(role);
        }}
        actions={
          <>
            <ActionButton
              type="submit"
              loading={write.isPending}
              disabledReason={whyNot ?? (role === member.role ? 'Choose another role first.' : undefined)}
            >
              Change role
            </ActionButton>
            <ActionButton variant="default" disabledReason={whyNotRemove(standing)} onClick={() => setRemoving(true)}>
              {isMe ? 'Leave the workspace' : 'Remove'}
            </ActionButton>
          </>
        }
      >
        {whyNot !== undefined && <Notice tone="quiet">{whyNot}</Notice>}
        <Radio.Group label="Role" value={role} onChange={(next) => setRole(next as Role)}>
          <Stack gap={8} mt={8}>
            {ROLE_WORDS.map(({ value, label, description }) => {
              const why = whyNot ?? whyNotGive(mine, value);
              return (
                <Radio
                  key={value}
                  value={value}
                  size="xs"
                  label={label}
                  description={whyNot === undefined ? (why ?? description) : description}
                  disabled={why !== undefined}
                />
              );
            })}
          </Stack>
        </Radio.Group>
      </Form>
    </Stack>
  );
}

function useChangeRole(workspaceId: string, member: Member, name: string, onClose: () => void) {
  const path = { id: workspaceId, userId: member.user_id };
  const call = (role: Role) => changeMemberRole({ path, body: { role }, throwOnError: true });
  const changes = ['listMembers', 'getMember', 'listSecurityEvents'];
  const undo = useWrite({
    call,
    changes,
    onDone: ({ role }) => toastDone(`${name} is ${labelOfRole(role).toLowerCase()} again.`),
    onError: toastError,
  });
  return useWrite({
    call,
    changes,
    onDone: ({ role }) => {
      toastUndo(`${name} is ${labelOfRole(role).toLowerCase()} now.`, () => undo.mutate(member.role));
      onClose();
    },
    onError: toastError,
  });
}
