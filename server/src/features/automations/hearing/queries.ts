import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Definition } from '../automation.ts';

export interface HearingAutomation {
  workspaceId: string;
  id: string;
  version: number;
  isEnabled: boolean;
  /** Everything that any version of it hears. */
  heard: string[];
  definition: Definition;
}

/** The automations of these workspaces of which some version hears one of these types: mostly none. */
export async function listHearing(
  db: Db,
  workspaceIds: readonly string[],
  types: readonly string[],
): Promise<HearingAutomation[]> {
  const { rows } = await sql<HearingAutomation>`
    select a.workspace_id as "workspaceId", a.id, a.version, a.status = 'enabled' as "isEnabled", a.heard, v.definition
      from automations a
      join automation_versions v
        on v.workspace_id = a.workspace_id and v.automation_id = a.id and v.version = a.version
     where a.workspace_id = any (${[...workspaceIds]}::uuid[]) and a.heard && ${[...types]}::text[]
       and a.deleted_at is null`.execute(db);
  return rows;
}

/** An active run whose version hears something of its person. */
export interface ListeningRun {
  workspaceId: string;
  runId: string;
  email: string;
  sandbox: boolean;
  newsletterId: string | null;
  correlation: string | null;
  payload: Record<string, unknown>;
  /** The event that it waits for now. */
  awaits: string | null;
  /** The step that it has got to and that no worker has taken yet, as far as it has heard of no event there. */
  reached: string | null;
  definition: Definition;
}

/** The active runs of these people whose versions hear one of these types; held until the transaction ends. */
export async function lockListeningRuns(
  tx: Db,
  people: readonly { workspaceId: string; email: string }[],
  types: readonly string[],
): Promise<ListeningRun[]> {
  const { rows } = await sql<ListeningRun>`
    select d.workspace_id as "workspaceId", d.run_id as "runId", d.email, r.sandbox, r.newsletter_id as "newsletterId",
           r.correlation, r.payload, case d.kind when 'event' then d.awaits end as awaits,
           case when d.kind <> 'event' and not d.is_waiting and d.heard is null then d.step end as reached, v.definition
      from (select distinct * from unnest(${people.map((one) => one.workspaceId)}::uuid[],
                                          ${people.map((one) => one.email)}::text[])) as p (workspace_id, email)
      join automation_due d on d.workspace_id = p.workspace_id and d.email = p.email
      join automation_runs r on r.workspace_id = d.workspace_id and r.id = d.run_id and not r.is_test
      join automation_versions v
        on v.workspace_id = d.workspace_id and v.automation_id = d.automation_id and v.version = r.version
       and v.listens && ${[...types]}::text[]
     order by d.workspace_id, d.run_id
       for update of d`.execute(tx);
  return rows;
}

export interface WokenRun {
  workspace_id: string;
  run_id: string;
  /** The payload of the event. */
  heard: Record<string, unknown>;
}

/** Lets runs that waited for an event go on. One that has not begun to wait finds it when its step is taken. */
export async function wakeRuns(tx: Db, woken: readonly WokenRun[]): Promise<void> {
  if (woken.length === 0) return;
  await sql`
    update automation_due d
       set kind = case d.kind when 'event' then 'due' else d.kind end,
           due_at = case d.kind when 'event' then clock_timestamp() else d.due_at end, heard = w.heard
      from jsonb_to_recordset(${JSON.stringify(woken)}::jsonb) as w (workspace_id uuid, run_id uuid, heard jsonb)
     where d.workspace_id = w.workspace_id and d.run_id = w.run_id`.execute(tx);
}

export interface NewRun {
  workspace_id: string;
  id: string;
  automation_id: string;
  version: number;
  email: string;
  newsletter_id: string | null;
  payload: Record<string, unknown>;
  correlation: string | null;
  is_test: boolean;
  sandbox: boolean;
  step: string;
  /** null: it may begin however often. */
  entry_key: string | null;
  again_after_seconds: number | null;
}

/**
 * Starts those of these runs that may start, each with its due row, in one statement. The key of the entry lets one of
 * two that come at once in. Returns their ids.
 */
export async function startRuns(tx: Db, runs: readonly NewRun[]): Promise<string[]> {
  if (runs.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    with wanted as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(runs)}::jsonb) as w (
        workspace_id uuid, id uuid, automation_id uuid, version integer, email text, newsletter_id uuid, payload jsonb,
        correlation text, is_test boolean, sandbox boolean, step text, entry_key text, again_after_seconds bigint)
    ), entered as (
      insert into automation_entries as e (workspace_id, automation_id, version, email, key, run_id,
                                           again_after_seconds, entered_at)
      select distinct on (workspace_id, automation_id, version, email, entry_key)
             workspace_id, automation_id, version, email, entry_key, id, again_after_seconds, clock_timestamp()
        from wanted where entry_key is not null
       order by workspace_id, automation_id, version, email, entry_key
          on conflict (workspace_id, automation_id, version, email, key) do update
         set run_id = excluded.run_id, entered_at = excluded.entered_at,
             again_after_seconds = excluded.again_after_seconds
       where e.entered_at <= excluded.entered_at - make_interval(secs => excluded.again_after_seconds)
      returning run_id
    ), started as (
      insert into automation_runs (workspace_id, id, automation_id, version, email, newsletter_id, payload, correlation,
                                   is_test, sandbox, started_at)
      select workspace_id, id, automation_id, version, email, newsletter_id, payload, correlation, is_test, sandbox,
             clock_timestamp()
        from wanted where entry_key is null or id in (select run_id from entered)
      returning workspace_id, id, automation_id, email
    )
    insert into automation_due (workspace_id, run_id, automation_id, email, kind, due_at, step)
    select s.workspace_id, s.id, s.automation_id, s.email, 'due', clock_timestamp(), w.step
      from started s join wanted w on w.workspace_id = s.workspace_id and w.id = s.id
    returning run_id as id`.execute(tx);
  return rows.map(({ id }) => id);
}
