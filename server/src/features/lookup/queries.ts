import { type RawBuilder, sql } from 'kysely';
import type { TargetType } from '#features/transfers';
import type { Db } from '#platform/db/database.ts';

/** A record as its table knows it. */
export interface RecordRow {
  kind: Kind;
  id: string;
  name: string | null;
  /** The record whose page leads to it. */
  parentId: string | null;
  /** Decides whether a caller may know of it. */
  facts: Facts | null;
}

export interface Facts {
  /** Of mail: where it came from, such as `system`. */
  source?: string | null;
  newsletterId?: string | null;
  newsletterIds?: string[];
  domainId?: string;
  domainIds?: string[];
  /** Of an event. */
  eventType?: string;
  /** Of a file: the kind of list that it goes into or comes from. */
  targetType?: TargetType;
  /** Of what a key or a person made. */
  madeBy?: string | null;
}

const none = sql`null::uuid as "parentId", null::jsonb as facts`;

/**
 * The rows of each kind whose primary keys are wanted: `= …` or `= any (…)`. Where an id names two records, the first
 * kind counts.
 */
const LOOKS = {
  email: (workspaceId, wanted) => sql`
    select e.id, c.subject as name, null::uuid as "parentId",
           jsonb_build_object('source', s.source, 'newsletterId', s.newsletter_id) as facts
      from emails e
      join contents c on c.workspace_id = e.workspace_id and c.id = e.content_id
      left join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id
     where e.workspace_id = ${workspaceId} and e.id ${wanted}`,
  scheduled_email: (workspaceId, wanted) => sql`
    select l.id, coalesce(l.body ->> 'subject', l.body ->> 'to'), null::uuid,
           jsonb_build_object('source', 'scheduled', 'newsletterId', l.newsletter_id)
      from scheduled_emails l where l.workspace_id = ${workspaceId} and l.id ${wanted}`,
  send: (workspaceId, wanted) => sql`
    select s.id, c.subject, null::uuid, jsonb_build_object('source', s.source, 'newsletterId', s.newsletter_id)
      from send_requests s join contents c on c.workspace_id = s.workspace_id and c.id = s.content_id
     where s.workspace_id = ${workspaceId} and s.id ${wanted}`,
  batch: (workspaceId, wanted) => sql`
    select b.id, null::text, ${none} from batches b where b.workspace_id = ${workspaceId} and b.id ${wanted}`,
  captured_email: (workspaceId, wanted) => sql`
    select k.id, k.subject, k.email_id,
           jsonb_build_object('source', case when k.is_system then 'system' end, 'newsletterId', s.newsletter_id)
      from captured_emails k
      left join emails e on e.workspace_id = k.workspace_id and e.id = k.email_id
      left join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id
     where k.workspace_id = ${workspaceId} and k.id ${wanted}`,
  inbound_email: (workspaceId, wanted) => sql`
    select i.id, i.subject, null::uuid, jsonb_build_object('domainId', i.domain_id)
      from inbound_emails i where i.workspace_id = ${workspaceId} and i.id ${wanted}`,
  broadcast: (workspaceId, wanted) => sql`
    select b.id, b.name, null::uuid, jsonb_build_object('newsletterId', b.audience ->> 'newsletterId')
      from broadcasts b where b.workspace_id = ${workspaceId} and b.id ${wanted}`,
  template: (workspaceId, wanted) => sql`
    select t.id, t.name, ${none} from templates t where t.workspace_id = ${workspaceId} and t.id ${wanted}`,
  contact: (workspaceId, wanted) => sql`
    select c.id, c.email, ${none} from contacts c where c.workspace_id = ${workspaceId} and c.id ${wanted}`,
  list: (workspaceId, wanted) => sql`
    select l.id, l.name, ${none} from contact_lists l where l.workspace_id = ${workspaceId} and l.id ${wanted}`,
  segment: (workspaceId, wanted) => sql`
    select g.id, g.name, ${none} from contact_segments g where g.workspace_id = ${workspaceId} and g.id ${wanted}`,
  bulk_job: (workspaceId, wanted) => sql`
    select j.id, null::text, ${none} from contact_bulk_jobs j where j.workspace_id = ${workspaceId} and j.id ${wanted}`,
  newsletter: (workspaceId, wanted) => sql`
    select n.id, n.name, null::uuid, jsonb_build_object('newsletterId', n.id)
      from newsletters n where n.workspace_id = ${workspaceId} and n.id ${wanted}`,
  issue: (workspaceId, wanted) => sql`
    select i.id, i.subject, i.newsletter_id, jsonb_build_object('newsletterId', i.newsletter_id)
      from issues i join newsletters n on n.workspace_id = i.workspace_id and n.id = i.newsletter_id
     where i.workspace_id = ${workspaceId} and i.id ${wanted}`,
  subscriber: (workspaceId, wanted) => sql`
    select u.id, u.email, u.newsletter_id, jsonb_build_object('newsletterId', u.newsletter_id)
      from subscribers u join newsletters n on n.workspace_id = u.workspace_id and n.id = u.newsletter_id
     where u.workspace_id = ${workspaceId} and u.id ${wanted}`,
  automation: (workspaceId, wanted) => sql`
    select a.id, a.name, null::uuid, jsonb_build_object('newsletterId', a.newsletter_id)
      from automations a where a.workspace_id = ${workspaceId} and a.id ${wanted} and a.deleted_at is null`,
  automation_run: (workspaceId, wanted) => sql`
    select r.id, r.email, r.automation_id,
           jsonb_build_object('newsletterIds', array_remove(array[a.newsletter_id, r.newsletter_id], null))
      from automation_runs r
      join automations a on a.workspace_id = r.workspace_id and a.id = r.automation_id and a.deleted_at is null
     where r.workspace_id = ${workspaceId} and r.id ${wanted}`,
  webhook: (workspaceId, wanted) => sql`
    select w.id, w.url, null::uuid, jsonb_build_object('newsletterIds', w.newsletter_ids, 'domainIds', w.domain_ids)
      from webhooks w where w.workspace_id = ${workspaceId} and w.id ${wanted} and w.forwards_domain_id is null`,
  webhook_delivery: (workspaceId, wanted) => sql`
    select d.id, d.event_type, d.webhook_id,
           jsonb_build_object('newsletterIds', w.newsletter_ids, 'domainIds', w.domain_ids)
      from webhook_deliveries d
      join webhooks w on w.workspace_id = d.workspace_id and w.id = d.webhook_id and w.forwards_domain_id is null
     where d.workspace_id = ${workspaceId} and d.id ${wanted}`,
  event: (workspaceId, wanted) => sql`
    select v.id, v.type::text, v.email_id,
           jsonb_build_object('source', s.source, 'newsletterId', s.newsletter_id)
      from email_events v
      join emails e on e.workspace_id = v.workspace_id and e.id = v.email_id
      left join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id
     where v.workspace_id = ${workspaceId} and v.id ${wanted}
    union all
    select o.id, o.type, null::uuid,
           jsonb_build_object('eventType', o.type, 'newsletterId', o.payload #>> '{newsletter,id}')
      from workspace_events o where o.workspace_id = ${workspaceId} and o.id ${wanted}`,
  domain: (workspaceId, wanted) => sql`
    select d.id, d.domain, null::uuid, jsonb_build_object('domainId', d.id)
      from domains d where d.workspace_id = ${workspaceId} and d.id ${wanted}`,
  api_key: (workspaceId, wanted) => sql`
    select k.id, k.name, ${none} from api_keys k where k.workspace_id = ${workspaceId} and k.id ${wanted}`,
  suppression: (workspaceId, wanted) => sql`
    select s.id, s.email, ${none} from suppressions s
     where s.workspace_id = ${workspaceId} and s.id ${wanted} and (s.expires_at is null or s.expires_at > now())`,
  import: (workspaceId, wanted) => sql`
    select i.id, null::text, i.target_id, jsonb_build_object('targetType', i.target_type, 'newsletterId', i.target_id)
      from imports i where i.workspace_id = ${workspaceId} and i.id ${wanted} and i.status <> 'uploading'`,
  export: (workspaceId, wanted) => sql`
    select x.id, null::text, x.target_id, jsonb_build_object('targetType', x.target_type, 'newsletterId', x.target_id)
      from exports x where x.workspace_id = ${workspaceId} and x.id ${wanted}`,
  image: (workspaceId, wanted) => sql`
    select m.id, m.filename, null::uuid, jsonb_build_object('madeBy', m.api_key_id)
      from images m where m.workspace_id = ${workspaceId} and m.id ${wanted} and m.deleted_at is null`,
  request: (workspaceId, wanted) => sql`
    select q.id, q.method || ' ' || q.path, null::uuid, jsonb_build_object('madeBy', q.actor_id)
      from api_requests q where q.workspace_id = ${workspaceId} and q.id ${wanted}`,
} as const satisfies Readonly<
  Record<string, (workspaceId: string, wanted: RawBuilder<unknown>) => RawBuilder<unknown>>
>;

export type Kind = keyof typeof LOOKS;

// The keys of an object literal, which has no others.
export const KINDS = Object.keys(LOOKS) as Kind[];

/** The records with this id among these kinds, in their order: mostly one or none. */
export const listRecords = (
  db: Db,
  workspaceId: string,
  { id, kinds }: { id: string; kinds: readonly Kind[] },
): Promise<RecordRow[]> =>
  listWanted(
    db,
    workspaceId,
    kinds.map((kind) => ({ kind, wanted: sql`= ${id}` })),
  );

/** The records of these kinds whose primary keys are wanted: in the order of the kinds, the newest of each first. */
export async function listWanted(
  db: Db,
  workspaceId: string,
  all: readonly { kind: Kind; wanted: RawBuilder<unknown> }[],
): Promise<RecordRow[]> {
  if (all.length === 0) return [];
  const looks = all.map(
    ({ kind, wanted }, place) => sql`
      select ${place}::integer as place, ${kind}::text as kind, r.id, r.name, r."parentId", r.facts
        from (${LOOKS[kind](workspaceId, wanted)}) as r (id, name, "parentId", facts)`,
  );
  const { rows } = await sql<RecordRow>`
    ${sql.join(looks, sql` union all `)}
    order by place, id desc`.execute(db);
  return rows;
}
