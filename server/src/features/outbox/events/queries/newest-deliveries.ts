import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

interface Address {
  workspaceId: string;
  identity: string;
}

/**
 * When each address last got something, as far as its newest 100 emails say: an address that gets thousands costs no
 * more than that. One that got nothing is absent.
 */
export async function newestDeliveries(
  db: Db,
  addresses: readonly Address[],
): Promise<(Address & { deliveredAt: Date })[]> {
  if (addresses.length === 0) return [];
  const { rows } = await sql<Address & { deliveredAt: Date }>`
    select a.workspace_id as "workspaceId", a.email as identity, newest.delivered_at as "deliveredAt"
      from unnest(${addresses.map((one) => one.workspaceId)}::uuid[], ${addresses.map((one) => one.identity)}::text[])
             as a (workspace_id, email)
     cross join lateral (
       select max(e.delivered_at) as delivered_at from (
         select m.delivered_at from emails m
          where m.workspace_id = a.workspace_id and m.recipient = a.email
          order by m.workspace_id desc, m.recipient desc, m.id desc limit 100) as e) as newest
     where newest.delivered_at is not null`.execute(db);
  return rows;
}
