import type { ContactList } from '../../../api/generated/types.gen.ts';

export interface ListValues extends Record<string, unknown> {
  name: string;
  description: string;
}

export const EMPTY_LIST: ListValues = { name: '', description: '' };

export const valuesOfList = ({ name, description }: ContactList): ListValues => ({
  name,
  description: description ?? '',
});

/** As the API takes it: no description is null. */
export const readListValues = ({ name, description }: ListValues) => ({
  name: name.trim(),
  description: description.trim() === '' ? null : description.trim(),
});

export const faultOfName = (name: string): string | null => (name.trim() === '' ? 'Enter a name.' : null);
