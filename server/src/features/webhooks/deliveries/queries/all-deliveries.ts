import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { endOfLook, LOOKED_AT_MAX, type LookedAt } from '#platform/db/end-of-look.ts';
import { firstIdAt } from '#platform/ids.ts';
import type { Delivery } from '../delivery.ts';
import { DELIVERY_COLUMNS, DELIVERY_TABLES, type DeliveryFilter, SHOWN_STATUS } from './list-deliveries.ts';

export interface AllDeliveriesFilter extends DeliveryFilter {
  webhookIds: readonly string[];
  since: Date | null;
  until: Date | null;
}

interface Page {
  limit: number;
  offset: number;
  after: string | null;
}

/** Deliveries of several endpoints, newest first; one row more than `limit` when there are more. */
export async function pageOfAllDeliveries(
  db: Db,
  workspaceId: string,
  filter: AllDeliveriesFilter,
  { limit, offset, after }: Page,
  lookedAtMax = LOOKED_AT_MAX,
): Promise<LookedAt<Delivery>> {
  const looked = sql`
    select l.id from (${lookedAt(workspaceId, filter, after, lookedAtMax)}) l order by l.id desc`;
  const end = await endOfLook(db, looked, { offset }, lookedAtMax);
  const { rows } = await sql<Delivery>`
    with looked as materialized (${lookedAt(workspaceId, filter, after, lookedAtMax)}), page as materialized (
      select d.id from looked l join webhook_deliveries d on d.workspace_id = ${workspaceId} and d.id = l.id
       where ${conditions(filter)}
       order by d.id desc limit ${limit + 1} offset ${offset}
    )
    select ${DELIVERY_COLUMNS} from ${DELIVERY_TABLES}
     where d.workspace_id = ${workspaceId} and d.id in (select p.id from page p)
     order by d.id desc`.execute(db);
  return { rows, goOnAfter: end };
}

/** Failed ones have an index for each endpoint; all others are read by the primary key. */
function lookedAt(
  workspaceId: string,
  filter: AllDeliveriesFilter,
  after: string | null,
  max: number,
): RawBuilder<unknown> {
  const { status, webhookIds, since } = filter;
  const span = sql`${after === null ? sql`` : sql`and d.id < ${after}::uuid`}
       ${since === null ? sql`` : sql`and d.id >= ${firstIdAt(since)}::uuid`}`;
  if (status !== 'failed') {
    return sql`
      select d.id from webhook_deliveries d
       where d.workspace_id = ${workspaceId} ${span}
       order by d.workspace_id desc, d.id desc limit ${max}`;
  }
  return sql`
    select f.id from unnest(${[...webhookIds]}::uuid[]) as w (id)
     cross join lateral (
       select d.id from webhook_deliveries d
        where d.workspace_id = ${workspaceId} and d.webhook_id = w.id and d.status = 'failed' ${span}
        order by d.workspace_id desc, d.webhook_id desc, d.id desc limit ${max}) f
     order by f.id desc limit ${max}`;
}

function conditions({ status, eventType, webhookIds, since, until }: AllDeliveriesFilter): RawBuilder<unknown> {
  const all = [sql`d.webhook_id = any (${[...webhookIds]}::uuid[])`];
  if (status !== null) all.push(sql`${SHOWN_STATUS} = ${status}`);
  if (eventType !== null) all.push(sql`d.event_type = ${eventType}`);
  if (since !== null) all.push(sql`d.created_at >= ${since}`);
  if (until !== null) all.push(sql`d.created_at < ${until}`);
  return sql.join(all, sql` and `);
}
