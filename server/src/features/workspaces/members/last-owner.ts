import type { Db } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import type { Membership } from '../workspace.ts';
import { countMembers, type Member } from './queries.ts';

/** Holds only under lockWorkspace: of two owners who remove each other at once, the second finds no other left. */
export async function refuseLastOwner(tx: Db, workspace: Membership, member: Member): Promise<void> {
  if (member.role !== 'owner') return;
  const { owners } = await countMembers(tx, workspace.id);
  if (owners < 2) throw conflict('This is the last owner. Make another member an owner first.');
}
