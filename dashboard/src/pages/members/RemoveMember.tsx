import { Text } from '@mantine/core';
import { chooseWorkspace } from '../../api/active-workspace.ts';
import { removeMember } from '../../api/generated/sdk.gen.ts';
import type { Member } from '../../api/generated/types.gen.ts';
import { useSession } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { pb } from '../../lib/paths.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { toastDone, toastLinks } from '../../ui/toasts.tsx';

interface Props {
  member: Member;
  isMe: boolean;
  onBack: () => void;
  onDone: () => void;
}

/** The way back in is an invitation that the person accepts, so this asks first. */
export function RemoveMember({ member, isMe, onBack, onDone }: Props) {
  const { workspace } = useSession();
  const name = member.name ?? member.email;
  const write = useWrite({
    call: () => removeMember({ path: { id: workspace?.id ?? '', userId: member.user_id }, throwOnError: true }),
    changes: isMe ? [] : ['listMembers', 'listSecurityEvents'],
    onDone: ({ api_keys: keys }) => {
      if (isMe) {
        chooseWorkspace(undefined);
        // A new load of the page, so that nothing of the workspace stays behind.
        window.location.assign(pb.overview());
        return;
      }
      if (keys.length === 0) toastDone(`${name} is removed.`);
      else
        toastLinks(
          `${name} is removed. API keys that they made keep working:`,
          keys.map((key) => ({ label: key.name, href: pb.key(key.id) })),
        );
      onDone();
    },
  });
  return (
    <Form
      label={isMe ? 'Leave the workspace' : `Remove ${name}`}
      problem={write.error ?? undefined}
      onSubmit={(event) => {
        event?.preventDefault();
        write.mutate(undefined);
      }}
      actions={
        <>
          <ActionButton type="submit" variant="danger" loading={write.isPending}>
            {isMe ? 'Leave' : 'Remove'}
          </ActionButton>
          <ActionButton variant="default" onClick={onBack} data-autofocus>
            Back
          </ActionButton>
        </>
      }
    >
      <Text size="sm">
        {isMe ? (
          <>
            You leave <b>{workspace?.name}</b> at once. To come back you need an invitation. API keys that you made keep
            working.
          </>
        ) : (
          <>
            <b>{name}</b> loses access to <b>{workspace?.name}</b> at once, in every browser and program. API keys that
            they made keep working. To let them in again, invite them.
          </>
        )}
      </Text>
    </Form>
  );
}
