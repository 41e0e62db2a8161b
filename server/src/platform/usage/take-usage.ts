import type { Db } from '../db/database.ts';
import { admissionsOf, pageOfTakes } from './page-of-takes.ts';
import { takePlaces } from './queries.ts';
import type { Take } from './take.ts';

/** Takes all places, and returns what each window then counts; throws the refusal of the first that has no room. */
export async function takeUsage(db: Db, takes: readonly Take[]): Promise<readonly number[]> {
  if (takes.length === 0) return [];
  const page = pageOfTakes([takes]);
  const [admission] = admissionsOf([takes], page, await takePlaces(db, page));
  if (admission === undefined) throw new Error('places were asked for and nothing was said of them');
  if ('refusedBy' in admission) throw refusalOf(takes, admission.refusedBy);
  return admission.used;
}

/** The error of the take that had no room. */
export function refusalOf(takes: readonly Take[], refusedBy: number): Error {
  const full = takes[refusedBy];
  if (full === undefined) throw new Error('a window was full that nobody had asked for');
  return full.refuse();
}
