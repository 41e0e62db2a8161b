import { conflict } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { recordAccountEvent } from '../../security-log/record-security-event.ts';
import { type GivenAgain, proveAgain } from '../two-factor/prove-again.ts';
import { deleteUser, lockWorkspacesOfUser, workspacesOnlyOwnedBy } from './queries.ts';

/**
 * Deletes the caller's account: they leave every workspace, and every session ends. 409 while a workspace would be left
 * without an owner. Its records, keys and logs stay: they belong to the workspace.
 */
export async function deleteAccount(ctx: Ctx, given: GivenAgain): Promise<void> {
  await proveAgain(ctx, given, async (tx, user) => {
    // As for every change of members: of two owners who leave at once, the second finds no other left.
    await lockWorkspacesOfUser(tx, user.id);
    const alone = await workspacesOnlyOwnedBy(tx, user.id);
    if (alone.length > 0) {
      const names = alone.map((name) => `"${name}"`).join(', ');
      throw conflict(
        `You are the last owner of ${names}. Make another member an owner there, or delete the workspace, first.`,
      );
    }
    await recordAccountEvent(tx, ctx, user.id, {
      action: 'user.deleted',
      targetType: 'user',
      targetId: user.id,
      details: { email: user.email },
    });
    await deleteUser(tx, user.id);
  });
}
