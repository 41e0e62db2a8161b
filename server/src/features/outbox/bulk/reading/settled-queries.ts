import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { SendKey } from '../bulk-send.ts';

/** Whether a send is being frozen, released or cancelled, or held by somebody. It is held afterwards when it is not. */
export async function bulkSendIsOpen(tx: Db, { workspaceId, sendId }: SendKey): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    with held as (
      select bulk_state from send_requests
       where workspace_id = ${workspaceId} and id = ${sendId} for no key update skip locked
    )
    select coalesce(
      (select bulk_state not in ('released', 'cancelled') from held),
      exists (select from send_requests where workspace_id = ${workspaceId} and id = ${sendId})) as open`.execute(tx);
  return rows[0]?.open ?? true;
}

/** Whether an event of the provider is still waited for. */
export async function hasUnconfirmed(tx: Db, { workspaceId, sendId }: SendKey): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from emails where workspace_id = ${workspaceId} and send_id = ${sendId} and status = 'unconfirmed'
         and unconfirmed_at is not null) as found`.execute(tx);
  return rows[0]?.found ?? false;
}

export async function markSettled(tx: Db, { workspaceId, sendId }: SendKey): Promise<void> {
  await sql`
    update send_requests set settled_at = clock_timestamp()
     where workspace_id = ${workspaceId} and id = ${sendId} and settled_at is null`.execute(tx);
}
