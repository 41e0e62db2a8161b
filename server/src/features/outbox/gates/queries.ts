import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

export type GateState = 'paused' | 'blocked' | 'resuming';

export interface Gate {
  workspaceId: string;
  state: GateState;
}

export async function setGate(tx: Db, { workspaceId, state }: Gate): Promise<void> {
  await sql`
    insert into sending_gates (workspace_id, state) values (${workspaceId}, ${state})
    on conflict (workspace_id) do update set state = excluded.state, settled = false, changed_at = now()`.execute(tx);
}

/** Opens a gate, if there is one: what it held is then given back. */
export async function openGate(tx: Db, workspaceId: string): Promise<void> {
  await sql`
    update sending_gates set state = 'resuming', settled = false, changed_at = now()
     where workspace_id = ${workspaceId}`.execute(tx);
}

export async function listUnsettledGates(db: Db): Promise<Gate[]> {
  const { rows } = await sql<Gate>`
    select workspace_id as "workspaceId", state from sending_gates
     where not settled order by changed_at -- every workspace: one service settles all gates`.execute(db);
  return rows;
}

/** A gate that was changed meanwhile is not settled by this. */
export async function markGateSettled(db: Db, { workspaceId, state }: Gate): Promise<void> {
  if (state === 'resuming') {
    await sql`delete from sending_gates where workspace_id = ${workspaceId} and state = ${state}`.execute(db);
    return;
  }
  await sql`
    update sending_gates set settled = true where workspace_id = ${workspaceId} and state = ${state}`.execute(db);
}

/**
 * Takes a page of the workspace's queued emails out of the queue: cancelled, or held. The claim would do it when their
 * turn comes. Changing the rows adds two guarantees: this statement waits for a claim that is under way and has not
 * seen the gate, and a later claim with an old snapshot finds the rows changed. Mail of the system itself (password
 * resets) goes on. Returns how many were taken.
 */
export async function takeOutQueued(db: Db, workspaceId: string, state: GateState, limit: number): Promise<number> {
  const { rows } = await sql`
    with page as materialized (
      select e.id, r.bulk_state from emails e
        left join send_requests r on r.workspace_id = e.workspace_id and r.id = e.send_id
       where e.workspace_id = ${workspaceId} and e.status = 'queued' and r.source is distinct from 'system'
       order by e.id limit ${limit} for update of e
    )
    update emails e set
        status = case when ${state} = 'blocked' then 'cancelled' when p.bulk_state is not null then 'pending' else 'deferred' end,
        error = case when ${state} = 'blocked' then 'cancelled' else e.error end,
        not_before = case when ${state} = 'paused' and p.bulk_state is null then 'infinity'::timestamptz end,
        last_event_at = case when ${state} = 'blocked' then clock_timestamp() else e.last_event_at end
      from page p where e.workspace_id = ${workspaceId} and e.id = p.id
    returning e.id`.execute(db);
  return rows.length;
}

/** Cancels a page of emails that wait elsewhere than in the queue. Bulk sends cancel what they have by themselves. */
export async function cancelWaiting(db: Db, workspaceId: string, limit: number): Promise<number> {
  const { rows } = await sql`
    with page as materialized (
      select e.id from emails e
        left join send_requests r on r.workspace_id = e.workspace_id and r.id = e.send_id
       where e.workspace_id = ${workspaceId} and e.status in ('deferred', 'pending') and r.bulk_state is null
         and r.source is distinct from 'system'
       order by e.id limit ${limit} for update of e
    )
    update emails e set status = 'cancelled', error = 'cancelled', not_before = null, last_event_at = clock_timestamp()
      from page p where e.workspace_id = ${workspaceId} and e.id = p.id
    returning e.id`.execute(db);
  return rows.length;
}

/** Lets a page of held emails be tried again: they are due now, and come back to the queue like every retry. */
export async function giveBackHeld(db: Db, workspaceId: string, limit: number): Promise<number> {
  const { rows } = await sql`
    with page as materialized (
      select e.id from emails e
       where e.workspace_id = ${workspaceId} and e.status = 'deferred' and e.not_before = 'infinity'
       order by e.id limit ${limit} for update of e
    )
    update emails e set not_before = clock_timestamp() from page p
     where e.workspace_id = ${workspaceId} and e.id = p.id
    returning e.id`.execute(db);
  return rows.length;
}

/** How many emails of the workspace a worker holds. Reads along the leases, of which there are few. */
export async function countInHand(db: Db, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from emails e
      left join send_requests r on r.workspace_id = e.workspace_id and r.id = e.send_id
     where e.status = 'sending' and e.lease_until > clock_timestamp() and e.workspace_id = ${workspaceId}
       and r.source is distinct from 'system'`.execute(db);
  return rows[0]?.n ?? 0;
}
