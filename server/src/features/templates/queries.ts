import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { likeAnywhere } from '#platform/db/like-pattern.ts';
import { isUuid } from '#platform/ids.ts';
import { DRAFTS_KEPT, type Source, type Template, type TemplateVersion } from './stored-template.ts';

const columns = sql`
  t.workspace_id as "workspaceId", t.id, t.name, t.alias, t.version, t.published_version as "publishedVersion",
  t.created_at as "createdAt", t.updated_at as "updatedAt"`;

const versionColumns = sql`
  v.template_id as "templateId", v.version, v.subject, v.preheader, v.html, v.text, v."from", v.reply_to as "replyTo",
  v.layout, v.declared, v.samples, v.variables, v.pinned, v.names, v.uses, v.published_at as "publishedAt",
  v.created_by as "createdBy", v.created_at as "createdAt"`;

const named = (name: string): RawBuilder<unknown> => (isUuid(name) ? sql`t.id = ${name}` : sql`t.alias = ${name}`);

/** By its id or its alias. */
export async function findTemplate(db: Db, workspaceId: string, name: string): Promise<Template | undefined> {
  const { rows } = await sql<Template>`
    select ${columns} from templates t where t.workspace_id = ${workspaceId} and ${named(name)}`.execute(db);
  return rows[0];
}

/** By the names that they are asked by: ids and aliases. */
export async function listTemplateIds(
  db: Db,
  workspaceId: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; id: string }>`
    select n.name, t.id from unnest(${[...new Set(names)]}::text[]) as n (name)
      join templates t on t.workspace_id = ${workspaceId} and (t.alias = n.name or t.id::text = n.name)`.execute(db);
  return new Map(rows.map(({ name, id }) => [name, id]));
}

/** The same, held until the transaction ends: changes of one template come one after the other. */
export async function lockTemplate(tx: Db, workspaceId: string, name: string): Promise<Template | undefined> {
  const { rows } = await sql<Template>`
    select ${columns} from templates t
     where t.workspace_id = ${workspaceId} and ${named(name)} for update`.execute(tx);
  return rows[0];
}

/** Nobody removes them until the transaction ends. Returns the ids of those that are there. */
export async function holdTemplates(tx: Db, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from templates where workspace_id = ${workspaceId} and id = any (${[...ids]}::uuid[])
     order by id for key share`.execute(tx);
  return rows.map(({ id }) => id);
}

export async function findVersion(
  db: Db,
  workspaceId: string,
  templateId: string,
  version: number,
): Promise<TemplateVersion | undefined> {
  const { rows } = await sql<TemplateVersion>`
    select ${versionColumns} from template_versions v
     where v.workspace_id = ${workspaceId} and v.template_id = ${templateId} and v.version = ${version}`.execute(db);
  return rows[0];
}

export interface TemplatesAsked {
  search: string | null;
  status: 'draft' | 'published' | null;
}

const matches = ({ search, status }: TemplatesAsked): RawBuilder<unknown> => sql`
  (${search}::text is null or t.name ilike ${likeAnywhere(search ?? '')} or t.alias ilike ${likeAnywhere(search ?? '')})
  and (${status}::text is null or (t.published_version is null) = (${status} = 'draft'))`;

/** Newest first. */
export async function pageOfTemplates(
  db: Db,
  workspaceId: string,
  asked: TemplatesAsked & { after: string | null; offset: number; limit: number },
): Promise<Template[]> {
  const { rows } = await sql<Template>`
    select ${columns} from templates t
     where t.workspace_id = ${workspaceId} and ${matches(asked)} and (${asked.after}::uuid is null or t.id < ${asked.after}::uuid)
     order by t.id desc limit ${asked.limit} offset ${asked.offset}`.execute(db);
  return rows;
}

export async function countTemplates(db: Db, workspaceId: string, asked: TemplatesAsked): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from templates t where t.workspace_id = ${workspaceId} and ${matches(asked)}`.execute(
    db,
  );
  return rows[0]?.total ?? 0;
}

/** Transactions that create templates in this workspace run one after another. */
export async function lockCreation(tx: Db, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`templates ${workspaceId}`}, 15))`.execute(tx);
}

/** Transactions that read layouts and partials of this workspace for a version run one after another. */
export async function lockUses(tx: Db, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`template uses ${workspaceId}`}, 15))`.execute(tx);
}

/** False: another template has the alias. */
export async function insertTemplate(tx: Db, template: Template): Promise<boolean> {
  const { rows } = await sql`
    insert into templates (workspace_id, id, name, alias, version, published_version, created_at, updated_at)
    values (${template.workspaceId}, ${template.id}, ${template.name}, ${template.alias}, ${template.version},
            ${template.publishedVersion}, ${template.createdAt}, ${template.updatedAt})
    on conflict on constraint templates_alias_key do nothing returning id`.execute(tx);
  return rows.length > 0;
}

/** Whether another template has the alias. */
export async function isAliasTaken(tx: Db, workspaceId: string, alias: string, besidesId: string): Promise<boolean> {
  const { rows } = await sql`
    select id from templates where workspace_id = ${workspaceId} and alias = ${alias} and id <> ${besidesId}`.execute(
    tx,
  );
  return rows.length > 0;
}

export async function updateTemplate(tx: Db, template: Template): Promise<void> {
  await sql`
    update templates set name = ${template.name}, alias = ${template.alias}, version = ${template.version},
           published_version = ${template.publishedVersion}, updated_at = ${template.updatedAt}
     where workspace_id = ${template.workspaceId} and id = ${template.id}`.execute(tx);
}

export async function insertVersion(tx: Db, workspaceId: string, version: TemplateVersion): Promise<void> {
  await sql`
    insert into template_versions (workspace_id, template_id, version, subject, preheader, html, text, "from", reply_to,
      layout, declared, samples, variables, pinned, names, uses, published_at, created_by, created_at)
    values (${workspaceId}, ${version.templateId}, ${version.version}, ${version.subject}, ${version.preheader},
      ${version.html}, ${version.text}, ${version.from}, ${version.replyTo}::text[], ${version.layout},
      ${JSON.stringify(version.declared)}::jsonb, ${JSON.stringify(version.samples)}::jsonb,
      ${JSON.stringify(version.variables)}::jsonb, ${JSON.stringify(version.pinned)}::jsonb, ${version.names}::text[],
      ${version.uses}::uuid[], ${version.publishedAt}, ${version.createdBy}, ${version.createdAt})`.execute(tx);
}

/** Keeps what a draft is made of as it is now, with which it is published. */
export async function markPublished(tx: Db, workspaceId: string, version: TemplateVersion): Promise<void> {
  await sql`
    update template_versions
       set published_at = ${version.publishedAt}, variables = ${JSON.stringify(version.variables)}::jsonb,
           pinned = ${JSON.stringify(version.pinned)}::jsonb, uses = ${version.uses}::uuid[]
     where workspace_id = ${workspaceId} and template_id = ${version.templateId} and version = ${version.version}`.execute(
    tx,
  );
}

/** Drafts that are far behind the newest version. */
export async function deleteOldDrafts(tx: Db, { workspaceId, id, version }: Template): Promise<void> {
  await sql`
    delete from template_versions
     where workspace_id = ${workspaceId} and template_id = ${id} and published_at is null
       and version <= ${version - DRAFTS_KEPT}`.execute(tx);
}

export async function deleteTemplate(tx: Db, workspaceId: string, id: string): Promise<void> {
  await sql`delete from templates where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

export type VersionSummary = Pick<TemplateVersion, 'version' | 'publishedAt' | 'createdBy' | 'createdAt'>;

/** Newest first. `before`: only versions below it. */
export async function pageOfVersions(
  db: Db,
  workspaceId: string,
  asked: { templateId: string; before: number | null; offset: number; limit: number },
): Promise<VersionSummary[]> {
  const { rows } = await sql<VersionSummary>`
    select version, published_at as "publishedAt", created_by as "createdBy", created_at as "createdAt"
      from template_versions
     where workspace_id = ${workspaceId} and template_id = ${asked.templateId}
       and (${asked.before}::integer is null or version < ${asked.before}::integer)
     order by version desc limit ${asked.limit} offset ${asked.offset}`.execute(db);
  return rows;
}

export async function countVersions(db: Db, workspaceId: string, templateId: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from template_versions
     where workspace_id = ${workspaceId} and template_id = ${templateId}`.execute(db);
  return rows[0]?.total ?? 0;
}

/** A published template that others may be made of. */
export interface FoundSource extends Source {
  id: string;
  alias: string | null;
  layout: string | null;
  names: string[];
}

/** The published templates with these names (ids or aliases), and those that they are made of in turn. */
export async function findSources(db: Db, workspaceId: string, names: readonly string[]): Promise<FoundSource[]> {
  const { rows } = await sql<FoundSource>`
    with recursive found (id, version, names, depth) as (
      select t.id, t.published_version, v.names, 1
        from templates t
        join template_versions v on v.workspace_id = t.workspace_id and v.template_id = t.id
         and v.version = t.published_version
       where t.workspace_id = ${workspaceId} and (t.alias = any (${names}::text[]) or t.id::text = any (${names}::text[]))
      union
      select t.id, t.published_version, v.names, found.depth + 1
        from found
        join templates t on t.workspace_id = ${workspaceId}
         and (t.alias = any (found.names) or t.id::text = any (found.names))
        join template_versions v on v.workspace_id = t.workspace_id and v.template_id = t.id
         and v.version = t.published_version
       where found.depth < 6
    )
    select t.id, t.alias, v.layout, v.names, v.html, v.text
      from (select distinct id, version from found) f
      join templates t on t.workspace_id = ${workspaceId} and t.id = f.id
      join template_versions v on v.workspace_id = ${workspaceId} and v.template_id = f.id and v.version = f.version`.execute(
    db,
  );
  return rows;
}

export interface User {
  id: string;
  name: string;
  alias: string | null;
}

/** Templates whose newest or published version is made of this one, at most a hundred. */
export async function findUsers(db: Db, workspaceId: string, id: string): Promise<User[]> {
  const { rows } = await sql<User>`
    select t.id, t.name, t.alias from templates t
     where t.workspace_id = ${workspaceId} and t.id <> ${id} and exists (
       select from template_versions v
        where v.workspace_id = t.workspace_id and v.template_id = t.id and v.version in (t.version, t.published_version)
          and ${id}::uuid = any (v.uses))
     order by t.id desc limit 100`.execute(db);
  return rows;
}
