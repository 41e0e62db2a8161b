import type { Static } from 'typebox';
import { AppError, invalid, unacceptable } from '#platform/errors/app-error.ts';
import type { Faults } from '#platform/errors/faults.ts';
import { describe, NO_DESCRIPTION } from '../contact-input.ts';
import { checkProperties } from '../properties/property-types.ts';
import { checkFilter } from '../segments/read-filter.ts';
import { Action, BulkChange } from './bulk-job.ts';
import type { CreateBulkJobBody } from './schemas.ts';

/** Every fault of a job that shows without the database, in one answer. */
export async function readNewJob(
  fields: Partial<Static<typeof CreateBulkJobBody>>,
  faults: Faults,
): Promise<Static<typeof CreateBulkJobBody>> {
  const { filter, action } = fields;
  if (filter !== undefined) await faults.collect(() => checkFilter(filter));
  if (action !== undefined) {
    for (const check of [() => requireKnown(action, Action, 'action'), () => checkList(action), () => checkSet(action)])
      await faults.collect(check);
  }
  return fields as Static<typeof CreateBulkJobBody>; // a field that is missing has a fault
}

function checkList({ type, list_id }: Action): void {
  const needsList = type === 'add_to_list' || type === 'remove_from_list';
  if (needsList && list_id === undefined) throw invalid('action.list_id', 'action.list_id is required');
  if (!needsList && list_id !== undefined) throw unacceptable('action.list_id', `${type} takes no list_id`);
}

/** The faults that the fields of a contact can have, in their place. */
function checkSet({ type, set }: Action): void {
  const isUpdate = type === 'update';
  if (isUpdate && set === undefined) throw invalid('action.set', 'action.set is required');
  if (isUpdate !== (set !== undefined && Object.keys(set).length > 0)) {
    throw unacceptable('action.set', isUpdate ? 'action.set must have at least one field' : `${type} takes no set`);
  }
  if (set === undefined) return;
  requireKnown(set, BulkChange, 'action.set');
  try {
    if (set.properties !== undefined) checkProperties(set.properties);
    describe(NO_DESCRIPTION, set);
  } catch (error) {
    throw error instanceof AppError ? faultInSet(error) : error;
  }
}

/**
 * An unknown field of an action is refused, as one of a filter is: without it the job would do something else to every
 * contact that meets the filter, or nothing.
 */
function requireKnown(given: object, { properties }: typeof Action | typeof BulkChange, at: string): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(properties, name));
  if (unknown === undefined) return;
  const param = `${at}.${unknown.slice(0, 64)}`;
  throw unacceptable(param, `${param} is unknown: this takes only ${Object.keys(properties).join(', ')}`);
}

/** The fault of a field of a contact, in its place in the action. */
export function faultInSet({ message, extras }: AppError): AppError {
  const refuse = extras.unacceptable === true ? unacceptable : invalid;
  return refuse(`action.set.${extras.param ?? ''}`, `action.set: ${message}`);
}
