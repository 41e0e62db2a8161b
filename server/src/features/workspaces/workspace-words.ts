import type { Db } from '#platform/db/database.ts';
import { FIRST_NAME } from './first-workspace.ts';
import { selectWorkspaceWords } from './queries.ts';

/** A workspace, as people who get its mail are told of it. */
export interface WorkspaceWords {
  /** null: nobody has named it yet. */
  name: string | null;
  postalAddress: string | null;
}

/** Undefined: there is no such workspace (any more). */
export async function findWorkspaceWords(db: Db, workspaceId: string): Promise<WorkspaceWords | undefined> {
  const words = await selectWorkspaceWords(db, workspaceId);
  return words && { ...words, name: words.name === FIRST_NAME ? null : words.name };
}
