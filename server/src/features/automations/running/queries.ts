import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Definition } from '../automation.ts';
import type { DueRun, Turn } from './run.ts';

/** Workspaces with a run that is due. One index probe for each workspace that has runs at all. */
export async function listDueWorkspaces(db: Db, until: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    -- every workspace: one service takes the steps of everybody.
    with recursive w (id) as (
      (select workspace_id from automation_due where kind <> 'hold' order by workspace_id limit 1)
      union all
      select (select d.workspace_id from automation_due d
               where d.kind <> 'hold' and d.workspace_id > w.id order by d.workspace_id limit 1)
        from w where w.id is not null
    )
    select w.id from w
     where w.id is not null
       and exists (select from automation_due d where d.workspace_id = w.id and d.kind <> 'hold'
                      and d.due_at <= least(statement_timestamp(), ${until}::timestamptz))`.execute(db);
  return rows.map(({ id }) => id);
}

/** Of `automation_due d`, `automation_runs r`, `automations a` and `workspaces w`. */
const columns = sql`
  r.id as "runId", r.automation_id as "automationId", r.version, r.email, r.newsletter_id as "newsletterId", r.payload,
  r.correlation, r.is_test as "isTest", r.sandbox, d.step, d.position, d.is_waiting as "isWaiting", d.heard,
  d.attempts, d.failing_since as "failingSince", d.lease, w.status = 'active' as "isWorkspaceActive",
  w.status = 'active' and a.deleted_at is null and (a.status = 'enabled' or r.is_test) as "mayGoOn",
  clock_timestamp() as now`;

interface Claim {
  limit: number;
  until: Date;
  /** Only this run. */
  runId?: string;
}

/** Runs that are due, held until the transaction ends, those that wait longest first. Others' runs are passed over. */
export async function claimDueRuns(tx: Db, workspaceId: string, { limit, until, runId }: Claim): Promise<DueRun[]> {
  const { rows } = await sql<DueRun>`
    with d as materialized (
      select * from automation_due
       where workspace_id = ${workspaceId} and kind <> 'hold'
         and due_at <= least(statement_timestamp(), ${until}::timestamptz)
         and (${runId ?? null}::uuid is null or run_id = ${runId ?? null}::uuid)
       order by due_at limit ${limit} for update skip locked
    )
    select ${columns} from d
      join automation_runs r on r.workspace_id = ${workspaceId} and r.id = d.run_id
      join automations a on a.workspace_id = ${workspaceId} and a.id = d.automation_id
      join workspaces w on w.id = ${workspaceId}`.execute(tx);
  return rows;
}

/** Runs that are due, those that wait longest first. */
export async function listDueRuns(db: Db, workspaceId: string, { limit, until }: Claim): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select run_id as id from automation_due
     where workspace_id = ${workspaceId} and kind <> 'hold'
       and due_at <= least(statement_timestamp(), ${until}::timestamptz)
     order by due_at limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** A run that fails for a fault of ours waits, each time twice as long and an hour at most. */
export async function postponeRun(db: Db, workspaceId: string, runId: string): Promise<void> {
  await sql`
    update automation_due
       set attempts = least(attempts + 1, 1000), failing_since = coalesce(failing_since, clock_timestamp()),
           due_at = clock_timestamp() + make_interval(secs => least(3600, 5 * 2 ^ least(attempts, 12)))
     where workspace_id = ${workspaceId} and run_id = ${runId}`.execute(db);
}

/** The run whose call this lease is, held; undefined: somebody else has gone on with it. */
export async function lockCalledRun(
  tx: Db,
  workspaceId: string,
  { runId, lease }: { runId: string; lease: string },
): Promise<DueRun | undefined> {
  const { rows } = await sql<DueRun>`
    select ${columns} from automation_due d
      join automation_runs r on r.workspace_id = ${workspaceId} and r.id = d.run_id
      join automations a on a.workspace_id = ${workspaceId} and a.id = d.automation_id
      join workspaces w on w.id = ${workspaceId}
     where d.workspace_id = ${workspaceId} and d.run_id = ${runId} and d.lease = ${lease}
       for update of d`.execute(tx);
  return rows[0];
}

/** The definitions of these versions, each read once for a page. */
export async function loadDefinitions(
  db: Db,
  workspaceId: string,
  runs: readonly Pick<DueRun, 'automationId' | 'version'>[],
): Promise<(of: Pick<DueRun, 'automationId' | 'version'>) => Definition> {
  const { rows } = await sql<{ automationId: string; version: number; definition: Definition }>`
    select v.automation_id as "automationId", v.version, v.definition from automation_versions v
     where v.workspace_id = ${workspaceId}
       and (v.automation_id, v.version) in (
         select * from unnest(${runs.map((run) => run.automationId)}::uuid[], ${runs.map((run) => run.version)}::integer[]))`.execute(
    db,
  );
  const known = new Map(rows.map((row) => [`${row.automationId} ${row.version}`, row.definition]));
  return ({ automationId, version }) => {
    const definition = known.get(`${automationId} ${version}`);
    if (definition === undefined) throw new Error('a run has a version that is not there');
    return definition;
  };
}

export async function holdRuns(tx: Db, workspaceId: string, runIds: readonly string[]): Promise<void> {
  if (runIds.length === 0) return;
  await sql`
    update automation_due set kind = 'hold', lease = null
     where workspace_id = ${workspaceId} and run_id = any (${[...runIds]}::uuid[])`.execute(tx);
}

/** Lets a page of held runs go on whose automation and workspace do. Returns how many. */
export async function releaseHeldRuns(db: Db, page: number): Promise<number> {
  const result = await sql`
    -- every workspace: by automation. Each enabled one is one probe.
    update automation_due set kind = 'due' where (workspace_id, run_id) in (
      select h.workspace_id, h.run_id from automations a
        join workspaces w on w.id = a.workspace_id and w.status = 'active'
       cross join lateral (
         select d.workspace_id, d.run_id from automation_due d
          where d.workspace_id = a.workspace_id and d.automation_id = a.id and d.kind = 'hold'
          limit ${page}) h
       where a.status = 'enabled' and a.deleted_at is null
       limit ${page})`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

/** Records the steps of a page of turns, and where each run is now: four statements, however many runs. */
export async function storeTurns(tx: Db, workspaceId: string, turns: readonly Turn[]): Promise<void> {
  const records = turns.flatMap(({ run, records: all }) => all.map((record) => ({ run_id: run.runId, ...record })));
  if (records.length > 0) await upsertRecords(tx, workspaceId, records);
  const places = turns.flatMap(({ run, next }) => ('step' in next ? [{ run_id: run.runId, ...next }] : []));
  if (places.length > 0) await updatePlaces(tx, workspaceId, places);
  const ends = turns.flatMap(({ run, next }) => ('step' in next ? [] : [{ run_id: run.runId, ...next }]));
  if (ends.length > 0) await endRuns(tx, workspaceId, ends);
}

async function upsertRecords(tx: Db, workspaceId: string, records: readonly object[]): Promise<void> {
  await sql`
    insert into automation_steps (workspace_id, run_id, position, key, type, status, started_at, completed_at, output, error)
    select ${workspaceId}, r.run_id, r.position, r.key, r.type, r.status,
           -- A step that is over at once was over when the turn was thought out, before this statement.
           least(clock_timestamp(), r."completedAt"), r."completedAt",
           nullif(r.output, 'null'::jsonb), r.error
      from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as r (
             run_id uuid, position smallint, key text, type text, status text, "completedAt" timestamptz, output jsonb,
             error text)
        on conflict (workspace_id, run_id, position) do update
       set status = excluded.status, completed_at = excluded.completed_at, output = excluded.output,
           error = excluded.error`.execute(tx);
}

async function updatePlaces(tx: Db, workspaceId: string, places: readonly object[]): Promise<void> {
  await sql`
    update automation_due d
       set step = p.step, position = p.position, kind = p.kind, due_at = p."dueAt", is_waiting = p."isWaiting",
           awaits = p.awaits, heard = null, attempts = p.attempts, failing_since = p."failingSince", lease = p.lease
      from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as p (
             run_id uuid, step text, position smallint, kind text, "dueAt" timestamptz, "isWaiting" boolean,
             awaits text, attempts smallint, "failingSince" timestamptz, lease uuid)
     where d.workspace_id = ${workspaceId} and d.run_id = p.run_id`.execute(tx);
}

export interface RunEnd {
  run_id: string;
  status: 'completed' | 'exited' | 'failed';
  reason: string | null;
}

/** Ends active runs, each with its due row in the same statement. Returns the ids of those that were active. */
export async function endRuns(tx: Db, workspaceId: string, ends: readonly RunEnd[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with gone as (
      delete from automation_due d
       using jsonb_to_recordset(${JSON.stringify(ends)}::jsonb) as e (run_id uuid, status text, reason text)
       where d.workspace_id = ${workspaceId} and d.run_id = e.run_id
      returning d.run_id, e.status, e.reason
    ), closed as (
      update automation_steps s set status = 'skipped', completed_at = clock_timestamp()
        from gone where s.workspace_id = ${workspaceId} and s.run_id = gone.run_id and s.status = 'waiting'
    )
    update automation_runs r set status = gone.status, reason = gone.reason, ended_at = clock_timestamp()
      from gone where r.workspace_id = ${workspaceId} and r.id = gone.run_id and r.status = 'active'
    returning r.id`.execute(tx);
  return rows.map(({ id }) => id);
}
