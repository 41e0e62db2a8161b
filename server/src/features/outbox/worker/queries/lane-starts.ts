import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** The first turn of a look, by lane. */
export type LaneStarts = readonly [system: number, transactional: number, bulk: number];

/** Before every email. */
export const LOWEST: LaneStarts = [0, 0, 0];

/**
 * By lane: the turn of the lowest queued email, or null, and the head, before which nothing new comes. While a snapshot
 * is held, this visits every entry of what has left.
 */
export async function readLaneEnds(db: Db): Promise<{ lowest: (number | null)[]; heads: LaneStarts }> {
  const { rows } = await sql<{ lowest: number | null; head: number }>`
    select ph_lane_head(l.lane::smallint) as head,
           (select e.turn from emails e where e.status = 'queued' and e.lane = l.lane -- every workspace: the queue is everybody's
             order by e.turn limit 1) as lowest
      from generate_series(0, 2) as l (lane) order by l.lane`.execute(db);
  const [system, transactional, bulk] = rows;
  return {
    lowest: rows.map(({ lowest }) => lowest),
    heads: [system?.head ?? LOWEST[0], transactional?.head ?? LOWEST[1], bulk?.head ?? LOWEST[2]],
  };
}
