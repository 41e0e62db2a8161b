import type { Static } from 'typebox';
import { AppError } from '#platform/errors/app-error.ts';
import type { Faults } from '#platform/errors/faults.ts';
import { fieldReader, type ReadFields } from '#platform/http/fields/read-fields.ts';
import { readMeaning } from '#platform/http/fields/read-meaning.ts';
import { compileCheck, withoutMeant } from '#platform/http/validation.ts';
import { BATCH_ITEM_NAMES } from './other-services.ts';
import { type ReadSend, readTimedSend } from './read-send.ts';
import { type BatchBody, SendBody } from './schemas.ts';

const readFields = fieldReader(SendBody, { others: BATCH_ITEM_NAMES, refusesNearMisses: true });
const checkItem = compileCheck(SendBody);

/** The items of a batch with our names for their fields. Each is judged by itself: `permissive` takes the good ones. */
export async function readBatch(given: Static<typeof BatchBody>, faults: Faults, now: Date) {
  const { emails = [], mode } = Array.isArray(given) ? { emails: given } : given;
  const items = emails.map((item) => readFields(item));
  // A mode that cannot be read refuses the batch, so the answer has to name the faults of the items too.
  if (!faults.isSound('mode')) {
    for (const [index, item] of items.entries()) {
      await faults.collect(() => readBatchItem(item, now).catch((error: unknown) => throwAtPlace(error, index)));
    }
  }
  return { items, mode };
}

/** The shape and the rules of one item. Throws one error that names all of its faults, without the item's place. */
export async function readBatchItem(item: ReadFields, now: Date): Promise<ReadSend> {
  const faults = withoutMeant([...item.faults, ...checkItem(item.value)]);
  return readMeaning(item.value, faults, readTimedSend, { where: 'item', now });
}

function throwAtPlace(error: unknown, index: number): never {
  throw error instanceof AppError ? atPlace(error, index) : error;
}

/** Names of other services may begin with a capital letter, as sentences do. */
const BEGINS_WITH_FIELD =
  /^[a-z][A-Za-z0-9_]*(?:[[.: ]|$)|^[A-Za-z0-9_]+ (?:is unknown|is not available|cannot be used)/;

/** The same error, said of `emails[3]`: every sentence and the field get the place in front. */
export function atPlace(error: AppError, index: number): AppError {
  const { param, details } = error.extras;
  const place = `emails[${index}]`;
  const say = (sentence: string): string =>
    BEGINS_WITH_FIELD.test(sentence) && error.name === 'validation_error'
      ? `${place}.${sentence}`
      : `${place}: ${sentence}`;
  return new AppError(error.name, say(error.message), {
    ...error.extras,
    param: param === undefined ? place : `${place}.${param}`,
    ...(details === undefined ? {} : { details: details.map(say) }),
  });
}
