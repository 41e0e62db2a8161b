import { createInvite, resendInvite, revokeInvite } from '../../api/generated/sdk.gen.ts';
import type { Invite } from '../../api/generated/types.gen.ts';
import { useRole, useSession } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { mayManageRole } from '../../lib/capabilities.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { toastDone, toastError, toastUndo } from '../../ui/toasts.tsx';
import classes from './members.module.css';

const CHANGES = ['listInvites', 'listSecurityEvents'];

/** Sends an invitation again, or withdraws it. The undo invites the address again: the link before never comes back. */
export function InviteActions({ invite }: { invite: Invite }) {
  const { workspace } = useSession();
  const mine = useRole();
  const id = workspace?.id ?? '';
  const { email, role } = invite;
  const path = { id, inviteId: invite.id };
  const again = useWrite({
    call: () => resendInvite({ path, throwOnError: true }),
    changes: CHANGES,
    onDone: () => toastDone(`${email} gets another link. The link before does not work any more.`),
    onError: toastError,
  });
  const undo = useWrite({
    call: () => createInvite({ path: { id }, body: { email, role }, throwOnError: true }),
    changes: CHANGES,
    onDone: () => toastDone(`${email} is invited again, with another link.`),
    onError: toastError,
  });
  const withdraw = useWrite({
    call: () => revokeInvite({ path, throwOnError: true }),
    changes: CHANGES,
    onDone: () => toastUndo(`The link of ${email} does not work any more.`, () => undo.mutate(undefined)),
    onError: toastError,
  });
  return (
    <span className={classes['actions']}>
      <ActionButton
        variant="default"
        size="xs"
        aria-label={`Send again to ${email}`}
        loading={again.isPending}
        disabledReason={mayManageRole(mine, role) ? undefined : 'Only an owner can invite an owner.'}
        onClick={() => again.mutate(undefined)}
      >
        Send again
      </ActionButton>
      <ActionButton
        variant="default"
        size="xs"
        aria-label={`Withdraw the invitation of ${email}`}
        loading={withdraw.isPending}
        onClick={() => withdraw.mutate(undefined)}
      >
        Withdraw
      </ActionButton>
    </span>
  );
}
