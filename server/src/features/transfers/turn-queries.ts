/** Turns go round the workspaces. Within a workspace, the file that was served longest ago is next. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

type Kind = 'import' | 'export';

/** The order in which files `c` are taken: that of the workspace whose last turn is longest ago, or that had none. */
export const inTurn = (kind: Kind): RawBuilder<unknown> => sql`
  (select t.served_at from transfer_turns t where t.workspace_id = c.workspace_id and t.kind = ${kind}) nulls first,
  c.served_at`;

/** A workspace has its turn. */
export async function noteTurn(db: Db, workspaceId: string, kind: Kind): Promise<void> {
  await sql`
    insert into transfer_turns (workspace_id, kind, served_at) values (${workspaceId}, ${kind}, clock_timestamp())
    on conflict (workspace_id, kind) do update set served_at = excluded.served_at`.execute(db);
}
