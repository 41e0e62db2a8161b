import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { keepPlan } from '#platform/db/kept-plans.ts';
import type { BroadcastAudience } from '../audience/audience.ts';

/** A broadcast as its emails need it. */
export interface Mailing {
  workspaceId: string;
  /** The version of its content that these emails leave with. */
  contentId: string;
  broadcastId: string;
  name: string;
  audience: BroadcastAudience;
  variables: Record<string, unknown>;
}

/** The broadcasts of these sends, each version of the content once. */
export async function loadMailings(
  db: Db,
  sends: readonly { workspaceId: string; sendId: string; contentId: string }[],
): Promise<Mailing[]> {
  const each = [...new Map(sends.map((send) => [send.contentId, send])).values()];
  const { rows } = await sql<Mailing>`${keepPlan}
    select b.workspace_id as "workspaceId", w.content_id as "contentId", b.id as "broadcastId", b.name, b.audience,
           coalesce(v.variables, b.sent_variables, b.variables) as variables
      from unnest(${each.map((send) => send.workspaceId)}::uuid[], ${each.map((send) => send.sendId)}::uuid[],
                  ${each.map((send) => send.contentId)}::uuid[]) as w (workspace_id, send_id, content_id)
      join broadcasts b on b.workspace_id = w.workspace_id and b.send_id = w.send_id
      left join broadcast_versions v on v.workspace_id = b.workspace_id and v.broadcast_id = b.id
        and v.content_id = w.content_id`.execute(db);
  return rows;
}
