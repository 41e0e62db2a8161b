import type { RawBuilder } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { unacceptable } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { listAllTypes } from '../properties/property-queries.ts';
import { conditionsOf, type Group, segmentsIn } from './filter.ts';
import { type FilterScope, matches } from './filter-queries.ts';
import { listReached } from './queries.ts';
import { readFilter } from './read-filter.ts';

type Asking = Pick<Ctx, 'workspaceId' | 'clock'> & { db: Db };

/** A filter that can be evaluated: read, with all that the segments in it name. */
export interface OpenFilter {
  filter: Group;
  scope: FilterScope;
}

/** Reads a filter and the segments that it names. Throws 422 for faults, as when it is stored. */
export async function openFilter({ db, workspaceId, clock }: Asking, given: unknown): Promise<OpenFilter> {
  const types = await listAllTypes(db, workspaceId);
  const filter = readFilter(given, types);
  const named = segmentsIn(filter);
  const reached = named.length === 0 ? [] : await listReached(db, workspaceId, named);
  const segments = new Map(reached.map((one) => [one.id, readFilter(one.filter, types)]));
  const missing = conditionsOf(filter).find(({ test }) => test.kind === 'segment' && !segments.has(test.id));
  if (missing !== undefined) {
    throw unacceptable(`${missing.at}.field`, `${missing.at}.field names a segment that is not there`);
  }
  return { filter, scope: { workspaceId, at: clock.now(), segments } };
}

/** The condition that a contact called `c` meets when it is in the filter. */
export const conditionOf = ({ filter, scope }: OpenFilter): RawBuilder<boolean> => matches(filter, scope);
