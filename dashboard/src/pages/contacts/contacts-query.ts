import type { SegmentCondition, SegmentFilter } from '../../api/generated/types.gen.ts';

export const CONTACT_FILTERS = ['search', 'unsubscribed', 'list_id'] as const;

type Filters = { readonly [Name in (typeof CONTACT_FILTERS)[number]]?: string | undefined };

/** The filters of the address as the API takes them. Unknown words are refused by the server, in a sentence. */
export const contactsQuery = ({ search, unsubscribed, list_id }: Filters) => ({
  search,
  unsubscribed: unsubscribed as 'true' | 'false' | undefined,
  list_id,
});

/** A search of the list looks in these. */
const SEARCHED = ['email', 'name', 'first_name', 'last_name'];
const EVERYBODY: SegmentCondition = { field: 'email', op: 'is_set' };

/** The contacts that the filters of the list show, as the filter of a bulk change. */
export function filterOfQuery({ search, unsubscribed, list_id }: Filters): SegmentFilter {
  const conditions: SegmentFilter['conditions'] = [
    ...(list_id === undefined ? [] : [{ field: `list:${list_id}`, op: 'is_true' }]),
    ...(unsubscribed === undefined
      ? []
      : [{ field: 'unsubscribed', op: unsubscribed === 'true' ? 'is_true' : 'is_false' }]),
    ...(search === undefined
      ? []
      : [
          {
            match: 'any' as const,
            conditions: SEARCHED.map((field) => ({ field, op: 'contains', value: search })),
          },
        ]),
  ];
  return { match: 'all', conditions: conditions.length === 0 ? [EVERYBODY] : conditions };
}
