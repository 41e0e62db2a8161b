import { Type } from 'typebox';
import { kept, record, type Stored } from '#platform/records/record.ts';
import { Count, Instant, nullable } from '#platform/records/wire-types.ts';
import { Id } from '../contact.ts';

export const LISTS_MAX = 1_000;

export const ListName = Type.String({ minLength: 1, maxLength: 200, examples: ['Customers'] });
export const ListDescription = nullable(Type.String({ maxLength: 2_000, examples: ['Everybody with an order'] }));

const fields = {
  workspace_id: kept<string>(),
  id: Id,
  name: ListName,
  description: ListDescription,
  contact_count: Count,
  created_at: Instant,
  updated_at: Instant,
};

/** A list of contacts as it is stored. */
export type ContactList = Stored<typeof fields>;
export const LIST = record(fields);
export const ContactListRecord = Type.Object(LIST.schema, { title: 'ContactList', additionalProperties: false });
export const listView = (row: ContactList) => LIST.view(row, {});
