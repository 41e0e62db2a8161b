import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { likeAnywhere } from '#platform/db/like-pattern.ts';
import { type Automation, listensOf, templatesOf } from '../automation.ts';

/** Of `automations a` and its version `v`. */
const columns = sql`
  a.workspace_id as "workspaceId", a.id, a.name, a.status, a.version, v.definition, a.created_at as "createdAt",
  a.updated_at as "updatedAt"`;
const joined = sql`
  automations a join automation_versions v
    on v.workspace_id = a.workspace_id and v.automation_id = a.id and v.version = a.version`;

/** Limited to these newsletters; empty: all. An automation of no newsletter is everybody's. */
const shown = (newsletterIds: readonly string[]): RawBuilder<unknown> =>
  newsletterIds.length === 0
    ? sql`true`
    : sql`(a.newsletter_id is null or a.newsletter_id = any (${[...newsletterIds]}::uuid[]))`;

interface One {
  workspaceId: string;
  id: string;
  newsletterIds: readonly string[];
}

export async function findAutomation(db: Db, { workspaceId, id, newsletterIds }: One): Promise<Automation | undefined> {
  const { rows } = await sql<Automation>`
    select ${columns} from ${joined}
     where a.workspace_id = ${workspaceId} and a.id = ${id} and a.deleted_at is null and ${shown(newsletterIds)}`.execute(
    db,
  );
  return rows[0];
}

/**
 * The same, held until the transaction ends: changes of one automation come one after the other. It is read in a
 * statement behind the lock: the one that waited for the lock still has the versions of before its wait, and the
 * version that the automation has by then is not among them.
 */
export async function lockAutomation(tx: Db, one: One): Promise<Automation | undefined> {
  const { workspaceId, id } = one;
  await sql`select from automations where workspace_id = ${workspaceId} and id = ${id} for update`.execute(tx);
  return findAutomation(tx, one);
}

export interface AutomationsAsked {
  status: Automation['status'] | null;
  search: string | null;
  newsletterIds: readonly string[];
}

const matches = (workspaceId: string, { status, search, newsletterIds }: AutomationsAsked): RawBuilder<unknown> => sql`
  a.workspace_id = ${workspaceId} and a.deleted_at is null and ${shown(newsletterIds)}
  and (${status}::text is null or a.status = ${status})
  and (${search}::text is null or a.name ilike ${likeAnywhere(search ?? '')})`;

/** Newest first. */
export async function pageOfAutomations(
  db: Db,
  workspaceId: string,
  asked: AutomationsAsked & { after: string | null; offset: number; limit: number },
): Promise<Automation[]> {
  const { rows } = await sql<Automation>`
    select ${columns} from ${joined}
     where a.workspace_id = ${workspaceId} and ${matches(workspaceId, asked)}
       and (${asked.after}::uuid is null or a.id < ${asked.after}::uuid)
     order by a.id desc limit ${asked.limit} offset ${asked.offset}`.execute(db);
  return rows;
}

export async function countAutomations(db: Db, workspaceId: string, asked: AutomationsAsked): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from automations a
     where a.workspace_id = ${workspaceId} and ${matches(workspaceId, asked)}`.execute(db);
  return rows[0]?.total ?? 0;
}

/** Transactions that create automations in this workspace run one after another. */
export async function lockCreation(tx: Db, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`automations ${workspaceId}`}, 15))`.execute(tx);
}

/** Everything that a version starts with, awaits or ends with. */
const heardOf = ({ definition }: Automation): string[] => [
  ...new Set([definition.trigger.type, ...listensOf(definition)]),
];

export async function insertAutomation(tx: Db, automation: Automation): Promise<void> {
  const { workspaceId, id, name, status, version, definition, createdAt, updatedAt } = automation;
  await sql`
    insert into automations (workspace_id, id, name, status, version, newsletter_id, heard, created_at, updated_at)
    values (${workspaceId}, ${id}, ${name}, ${status}, ${version}, ${definition.trigger.newsletter_id ?? null},
            ${heardOf(automation)}::text[], ${createdAt}, ${updatedAt})`.execute(tx);
}

/** It goes on hearing what it heard before: runs of older versions wait for it. */
export async function updateAutomation(tx: Db, automation: Automation): Promise<void> {
  const { workspaceId, id, name, status, version, definition, updatedAt } = automation;
  await sql`
    update automations a
       set name = ${name}, status = ${status}, version = ${version},
           newsletter_id = ${definition.trigger.newsletter_id ?? null}, updated_at = ${updatedAt},
           heard = array(select unnest(a.heard) union select unnest(${heardOf(automation)}::text[]))
     where a.workspace_id = ${workspaceId} and a.id = ${id}`.execute(tx);
}

export async function insertVersion(tx: Db, automation: Automation, createdBy: string | null): Promise<void> {
  const { workspaceId, id, version, definition, updatedAt } = automation;
  await sql`
    insert into automation_versions (workspace_id, automation_id, version, definition, listens, template_ids,
                                     created_by, created_at)
    values (${workspaceId}, ${id}, ${version}, ${JSON.stringify(definition)}::jsonb, ${listensOf(definition)}::text[],
            ${templatesOf(definition)}::uuid[], ${createdBy}, ${updatedAt})`.execute(tx);
}

/** From now on it is nowhere; its runs are removed page by page. */
export async function markDeleted(tx: Db, { workspaceId, id }: Pick<Automation, 'workspaceId' | 'id'>): Promise<void> {
  await sql`
    update automations set deleted_at = clock_timestamp(), status = 'disabled'
     where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

export interface AutomationUser {
  id: string;
  name: string;
}

/** Enabled automations whose version sends this template, at most a hundred. */
export async function listEnabledWithTemplate(
  db: Db,
  workspaceId: string,
  templateId: string,
): Promise<AutomationUser[]> {
  const { rows } = await sql<AutomationUser>`
    select a.id, a.name from ${joined}
     where a.workspace_id = ${workspaceId} and a.status = 'enabled' and a.deleted_at is null
       and ${templateId}::uuid = any (v.template_ids)
     order by a.id desc limit 100`.execute(db);
  return rows;
}
