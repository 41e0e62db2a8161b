import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { StoredMark } from './mark.ts';

interface Key {
  workspaceId: string;
  id: string;
}

const columns = sql`
  m.svg_path as "svgPath", m.svg_url as "svgUrl", m.certificate_url as "certificateUrl",
  m.certificate_kind as "certificateKind", m.certificate_expires_at as "certificateExpiresAt",
  m.last_checked_at as "lastCheckedAt"`;

export async function findMark(db: Db, { workspaceId, id }: Key): Promise<StoredMark | undefined> {
  const { rows } = await sql<StoredMark>`
    select ${columns} from domain_marks m where m.workspace_id = ${workspaceId} and m.domain_id = ${id}`.execute(db);
  return rows[0];
}

export interface NewMark {
  svgPath: string;
  svgUrl: string;
  certificateUrl: string;
}

/** Another logo or certificate is one that nobody has checked. */
export async function putMark(tx: Db, { workspaceId, id }: Key, mark: NewMark): Promise<void> {
  await sql`
    insert into domain_marks (workspace_id, domain_id, svg_path, svg_url, certificate_url)
    values (${workspaceId}, ${id}, ${mark.svgPath}, ${mark.svgUrl}, ${mark.certificateUrl})
    on conflict (workspace_id, domain_id) do update
       set svg_path = excluded.svg_path, svg_url = excluded.svg_url, certificate_url = excluded.certificate_url,
           certificate_kind = null, certificate_expires_at = null, told_step = 0, last_checked_at = null, last_check = null`.execute(
    tx,
  );
  await sql`
    update domains set bimi_enabled = true, updated_at = now()
     where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

export async function deleteMark(tx: Db, { workspaceId, id }: Key): Promise<void> {
  await sql`delete from domain_marks where workspace_id = ${workspaceId} and domain_id = ${id}`.execute(tx);
  await sql`
    update domains set bimi_enabled = false, updated_at = now()
     where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** False: a check began less than ten seconds ago. */
export async function beginMarkCheck(db: Db, { workspaceId, id }: Key, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update domain_marks set begun_at = ${now}
     where workspace_id = ${workspaceId} and domain_id = ${id}
       and (begun_at is null or begun_at < ${now}::timestamptz - interval '10 seconds' or begun_at > ${now})
    returning domain_id`.execute(db);
  return rows.length > 0;
}

/** Of the mark that was checked: one that was changed meanwhile keeps nothing of it. */
export async function storeMarkCheck(
  db: Db,
  { workspaceId, id }: Key,
  checked: { certificateUrl: string; kind: 'vmc' | 'cmc' | null; expiresAt: Date | null; now: Date; check: object },
): Promise<void> {
  await sql`
    update domain_marks
       set last_checked_at = ${checked.now},
           last_check = ${JSON.stringify({ checked_at: checked.now.toISOString(), ...checked.check })}::jsonb,
           told_step = case when certificate_expires_at is not distinct from ${checked.expiresAt} then told_step else 0 end,
           certificate_kind = ${checked.kind}, certificate_expires_at = ${checked.expiresAt}
     where workspace_id = ${workspaceId} and domain_id = ${id} and certificate_url = ${checked.certificateUrl}`.execute(
    db,
  );
}

export interface ExpiringMark {
  workspaceId: string;
  domainId: string;
  domain: string;
  expiresAt: Date;
}

/** A page of certificates that end soon, whose owners were not told of this step. */
export async function takeExpiringMarks(
  tx: Db,
  { now, days, step, page }: { now: Date; days: number; step: number; page: number },
): Promise<ExpiringMark[]> {
  const { rows } = await sql<ExpiringMark>`
    -- every workspace: time passes everywhere
    with due as (
      select m.workspace_id, m.domain_id from domain_marks m
       where m.told_step < ${step}::integer
         and m.certificate_expires_at <= ${now}::timestamptz + make_interval(days => ${days}::integer)
       order by m.certificate_expires_at limit ${page} for update skip locked
    )
    update domain_marks m set told_step = ${step}::integer
      from due, domains d
     where m.workspace_id = due.workspace_id and m.domain_id = due.domain_id
       and d.workspace_id = m.workspace_id and d.id = m.domain_id
    returning m.workspace_id as "workspaceId", m.domain_id as "domainId", d.domain,
              m.certificate_expires_at as "expiresAt"`.execute(tx);
  return rows;
}
