import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { keepPlan } from '#platform/db/kept-plans.ts';
import type { BroadcastAudience } from './audience.ts';

/** A broadcast as its emails need it. */
export interface Mailing {
  workspaceId: string;
  sendId: string;
  broadcastId: string;
  name: string;
  audience: BroadcastAudience;
  variables: Record<string, unknown>;
}

/** The broadcasts of these sends, each once. */
export async function loadMailings(
  db: Db,
  sends: readonly { workspaceId: string; sendId: string }[],
): Promise<Mailing[]> {
  const each = new Map(sends.map((send) => [send.sendId, send]));
  const { rows } = await sql<Mailing>`${keepPlan}
    select b.workspace_id as "workspaceId", b.send_id as "sendId", b.id as "broadcastId", b.name, b.audience,
           coalesce(b.sent_variables, b.variables) as variables
      from unnest(${[...each.values()].map((send) => send.workspaceId)}::uuid[], ${[...each.keys()]}::uuid[])
             as w (workspace_id, send_id)
      join broadcasts b on b.workspace_id = w.workspace_id and b.send_id = w.send_id`.execute(db);
  return rows;
}
