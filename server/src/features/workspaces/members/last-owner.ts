import type { Db } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import type { Membership } from '../workspace.ts';
import { hasOtherOwner, type Member } from './queries.ts';

/** Holds only under lockWorkspace: of two owners who remove each other at once, the second finds no other left. */
export async function refuseLastOwner(tx: Db, workspace: Membership, member: Member): Promise<void> {
  if (member.role !== 'owner') return;
  if (!(await hasOtherOwner(tx, workspace.id, member.userId)))
    throw conflict('This is the last owner. Make another member an owner first.');
}
