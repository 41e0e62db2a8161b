import { Type } from 'typebox';
import { kept, record, type Stored } from '#platform/records/record.ts';
import { Instant } from '#platform/records/wire-types.ts';

const fields = {
  workspace_id: kept<string>(),
  id: Type.String({ format: 'uuid', examples: ['0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11'] }),
  name: Type.String({ examples: ['Acme Weekly'] }),
  deleted_at: Instant,
};

/** A list that was deleted and whose consents are kept as proof. */
export type DeletedList = Stored<typeof fields>;
export const DELETED_LIST = record(fields);
export const DeletedListRecord = Type.Object(DELETED_LIST.schema, {
  title: 'DeletedNewsletter',
  additionalProperties: false,
});
export const deletedListView = (row: DeletedList) => DELETED_LIST.view(row, {});
