import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { RunStatus } from '../automation.ts';
import type { StepRecord } from '../running/run.ts';

/** A run as it is shown. */
export interface ShownRun {
  id: string;
  automationId: string;
  version: number;
  email: string;
  newsletterId: string | null;
  correlation: string | null;
  status: RunStatus;
  reason: string | null;
  isTest: boolean;
  payload: Record<string, unknown>;
  step: string | null;
  awaits: string | null;
  dueAt: Date | null;
  isHeld: boolean | null;
  startedAt: Date;
  endedAt: Date | null;
}

const columns = sql`
  r.id, r.automation_id as "automationId", r.version, r.email, r.newsletter_id as "newsletterId", r.correlation,
  r.status, r.reason, r.is_test as "isTest", r.payload, d.step, case d.kind when 'event' then d.awaits end as awaits,
  d.due_at as "dueAt", d.kind = 'hold' as "isHeld", r.started_at as "startedAt", r.ended_at as "endedAt"`;

const joined = sql`
  automation_runs r
  left join automation_due d on d.workspace_id = r.workspace_id and d.run_id = r.id`;

export interface RunsAsked {
  automationId: string;
  status: RunStatus | null;
  email: string | null;
  /** Of the key that asks; empty: all. Runs of no newsletter are shown to every key. */
  newsletterIds: readonly string[];
}

const ofNewsletters = (ids: readonly string[]): RawBuilder<unknown> =>
  ids.length === 0 ? sql`true` : sql`(r.newsletter_id is null or r.newsletter_id = any (${[...ids]}::uuid[]))`;

const matches = (
  workspaceId: string,
  { automationId, status, email, newsletterIds }: RunsAsked,
): RawBuilder<unknown> => {
  const all = [sql`r.workspace_id = ${workspaceId} and r.automation_id = ${automationId}`];
  if (status !== null) all.push(sql`r.status = ${status}`);
  if (email !== null) all.push(sql`r.email = ${email}`);
  if (newsletterIds.length > 0) all.push(ofNewsletters(newsletterIds));
  return sql.join(all, sql` and `);
};

/** Newest first. */
export async function pageOfRuns(
  db: Db,
  workspaceId: string,
  asked: RunsAsked & { after: string | null; offset: number; limit: number },
): Promise<ShownRun[]> {
  const { rows } = await sql<ShownRun>`
    select ${columns} from ${joined}
     where r.workspace_id = ${workspaceId} and ${matches(workspaceId, asked)}
       and (${asked.after}::uuid is null or r.id < ${asked.after}::uuid)
     order by r.id desc limit ${asked.limit} offset ${asked.offset}`.execute(db);
  return rows;
}

/** Counted up to `max` and no further. */
export async function countRuns(db: Db, workspaceId: string, asked: RunsAsked, max: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from (
      select from automation_runs r where r.workspace_id = ${workspaceId} and ${matches(workspaceId, asked)}
       limit ${max}) t`.execute(db);
  return rows[0]?.total ?? 0;
}

export async function findRun(
  db: Db,
  workspaceId: string,
  { automationId, runId, newsletterIds }: { automationId: string; runId: string; newsletterIds: readonly string[] },
): Promise<ShownRun | undefined> {
  const { rows } = await sql<ShownRun>`
    select ${columns} from ${joined}
     where r.workspace_id = ${workspaceId} and r.automation_id = ${automationId} and r.id = ${runId}
       and ${ofNewsletters(newsletterIds)}`.execute(db);
  return rows[0];
}

export async function listStepRecords(
  db: Db,
  workspaceId: string,
  runId: string,
): Promise<(StepRecord & { startedAt: Date })[]> {
  const { rows } = await sql<StepRecord & { startedAt: Date }>`
    select position, key, type, status, started_at as "startedAt", completed_at as "completedAt", output, error
      from automation_steps where workspace_id = ${workspaceId} and run_id = ${runId} order by position`.execute(db);
  return rows;
}

/** A page of the active runs to cancel. */
export async function listActiveRuns(
  db: Db,
  workspaceId: string,
  asked: Omit<RunsAsked, 'status'> & { version: number | null; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select r.id from automation_runs r
     where r.workspace_id = ${workspaceId} and r.automation_id = ${asked.automationId} and r.status = 'active'
       and (${asked.email}::text is null or r.email = ${asked.email})
       and (${asked.version}::integer is null or r.version = ${asked.version}::integer)
       and ${ofNewsletters(asked.newsletterIds)}
     order by r.id limit ${asked.limit}`.execute(db);
  return rows.map(({ id }) => id);
}
