import { readAddress } from '#mail/addresses/read-address.ts';
import { AppError } from '#platform/errors/app-error.ts';
import { fieldReader, type ReadFields } from '#platform/http/fields/read-fields.ts';
import { readMeaning } from '#platform/http/fields/read-meaning.ts';
import { compileCheck, withoutMeant } from '#platform/http/validation.ts';
import { type ContactInput, readNewContact } from './contact-input.ts';
import { CreateContactBody } from './schemas.ts';

/** A good row of a batch. */
export interface BatchRow {
  index: number;
  /** The identity of the address. */
  email: string;
  input: ContactInput;
}

export interface BadRow {
  index: number;
  error: AppError;
}

const readFields = fieldReader(CreateContactBody, { refusesNearMisses: true });
const checkRow = compileCheck(CreateContactBody);

/** Judges each row by itself, with our names for its fields. `unknown`: the fields of rows that no contact has. */
export async function readBatchRows(
  given: readonly unknown[],
  now: Date,
): Promise<{ good: BatchRow[]; bad: BadRow[]; unknown: ReadonlySet<string> }> {
  const good: BatchRow[] = [];
  const bad: BadRow[] = [];
  const unknown = new Set<string>();
  for (const [index, row] of given.entries()) {
    const fields = readFields(row);
    for (const name of fields.unknown) unknown.add(name);
    const read = await readRow(fields, now);
    if (read instanceof AppError) bad.push({ index, error: read });
    else good.push({ index, email: readAddress(read.email).identity, input: read });
  }
  return { good, bad, unknown };
}

async function readRow({ value, faults }: ReadFields, now: Date): Promise<ContactInput | AppError> {
  try {
    const all = withoutMeant([...faults, ...checkRow(value)]);
    return await readMeaning(value, all, readNewContact, { where: 'contact', now });
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
