import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** Moves the heads of lanes on to these turns, outside of any transaction: no rollback takes it back. */
export async function moveLaneHeads(db: Db, heads: readonly { lane: number; turn: number }[]): Promise<void> {
  await sql`
    select ph_move_lane_head(h.lane, h.turn)
      from unnest(${heads.map((head) => head.lane)}::smallint[], ${heads.map((head) => head.turn)}::bigint[])
             as h (lane, turn)`.execute(db);
}
