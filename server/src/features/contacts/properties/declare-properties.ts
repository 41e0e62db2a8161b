import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import { AppError, unacceptable } from '#platform/errors/app-error.ts';
import { newId } from '#platform/ids.ts';
import { type GivenProperties, judgeTypes, type PropertyType } from './property-types.ts';
import { countProperties, insertProperties, listTypes, lockDeclaring } from './property-queries.ts';

const PROPERTIES_MAX = 200;

/**
 * Compares the properties of each of many contacts with their types in the workspace, and declares keys that are new,
 * as the first contact without a fault has them. Returns the fault of each, or null. Throws 422 when the workspace
 * would have too many.
 */
export async function declareProperties(
  { db: tx, workspaceId, clock }: { db: Db; workspaceId: string; clock: Pick<Clock, 'now'> },
  contacts: readonly GivenProperties[],
): Promise<(AppError | null)[]> {
  const keys = [...new Set(contacts.flatMap((given) => Object.keys(given).filter((key) => given[key] !== null)))];
  if (keys.length === 0) return contacts.map(() => null);
  let types = await listTypes(tx, workspaceId, keys);
  if (types.size < keys.length) {
    await lockDeclaring(tx, workspaceId);
    types = await listTypes(tx, workspaceId, keys);
  }
  const declared = new Map<string, PropertyType>();
  const faults = contacts.map((given) => judge(given, types, declared));
  if (declared.size === 0) return faults;
  if ((await countProperties(tx, workspaceId)) + declared.size > PROPERTIES_MAX) {
    throw unacceptable('properties', `A workspace has at most ${PROPERTIES_MAX} different properties.`);
  }
  const createdAt = clock.now();
  await insertProperties(
    tx,
    workspaceId,
    [...declared].map(([key, type]) => ({ id: newId(), key, type, createdAt })),
  );
  return faults;
}

/** Types that it declares count for the contacts behind it. */
function judge(
  given: GivenProperties,
  types: Map<string, PropertyType>,
  declared: Map<string, PropertyType>,
): AppError | null {
  try {
    for (const [key, type] of judgeTypes(given, types)) {
      types.set(key, type);
      declared.set(key, type);
    }
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
