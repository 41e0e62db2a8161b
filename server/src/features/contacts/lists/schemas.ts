import { Type } from 'typebox';
import { pageQuery } from '#platform/http/paging.ts';
import { Id } from '../contact.ts';
import { ListDescription, ListName } from './list.ts';

export const CreateListBody = Type.Object({ name: ListName, description: Type.Optional(ListDescription) });
export const UpdateListBody = Type.Object({
  name: Type.Optional(ListName),
  description: Type.Optional(ListDescription),
});

export const ListParams = Type.Object({ id: Id });
export const ListsQuery = Type.Object({
  ...pageQuery,
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'In the name.' })),
});

const NAMED_MAX = 1_000;
export const MembersBody = Type.Object({
  contact_ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: NAMED_MAX })),
  emails: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 320, examples: ['ada@example.com'] }), {
      minItems: 1,
      maxItems: NAMED_MAX,
      description: 'In place of `contact_ids`.',
    }),
  ),
});

export const AddedToList = Type.Object(
  {
    success: Type.Literal(true),
    added: Type.Integer(),
    skipped: Type.Integer({ description: 'They are on the list already, or have left it.' }),
    not_found: Type.Array(Type.String(), { description: 'Ids or addresses of no contact.' }),
  },
  { title: 'AddedToList', additionalProperties: false },
);
export const RemovedFromList = Type.Object(
  { success: Type.Literal(true), removed: Type.Integer() },
  { title: 'RemovedFromList', additionalProperties: false },
);
export const RemovedList = Type.Object(
  { success: Type.Literal(true), id: Id },
  { title: 'RemovedList', additionalProperties: false },
);
