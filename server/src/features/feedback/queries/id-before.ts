import { type RawBuilder, sql } from 'kysely';

/**
 * The smallest id that could have been made so long ago, by the database's clock: ids begin with milliseconds since
 * 1970 (RFC 9562 §5.7). An older row has a smaller id, so that the primary key finds what is old. The time is that of
 * the statement: by `clock_timestamp()`, which changes meanwhile, no index is searched, and all rows are read.
 */
export const idBefore = (hours: number): RawBuilder<string> => sql`
  rpad(lpad(to_hex(floor(extract(epoch from statement_timestamp() - make_interval(hours => ${hours}::integer)) * 1000)::bigint),
            12, '0'), 32, '0')::uuid`;
