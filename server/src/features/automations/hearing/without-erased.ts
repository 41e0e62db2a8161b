import { isOfMember } from '../step-fields.ts';
import type { Happening } from './happening.ts';
import { type Hearing, listErased } from './list-erased.ts';
import type { NewRun } from './queries.ts';

/** An erased person starts nothing. Somebody who has just joined a list or become a contact is there again. */
export async function withoutErased<Wanted extends { run: NewRun; one: Happening }>(
  hearing: Hearing,
  wanted: readonly Wanted[],
): Promise<Wanted[]> {
  const doubtful = wanted.filter(({ one }) => !isOfMember(one.type));
  const erased = new Set<string>();
  for (const [workspaceId, group] of Map.groupBy(doubtful, ({ one }) => one.workspaceId)) {
    const emails = group.map(({ one }) => one.email);
    for (const email of await listErased(hearing, workspaceId, emails)) erased.add(`${workspaceId} ${email}`);
  }
  return wanted.filter(({ one }) => isOfMember(one.type) || !erased.has(`${one.workspaceId} ${one.email}`));
}
