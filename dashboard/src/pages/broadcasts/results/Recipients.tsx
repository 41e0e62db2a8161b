import { Users } from 'lucide-react';
import { listBroadcastRecipientsOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import type { ListBroadcastRecipientsData } from '../../../api/generated/types.gen.ts';
import { useList } from '../../../api/use-list.ts';
import { withQuery } from '../../../lib/curl.ts';
import { pb } from '../../../lib/paths.ts';
import { useUrlState } from '../../../lib/use-url-state.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { SelectFilter } from '../../../ui/list/filters.tsx';
import { List } from '../../../ui/list/ListPage.tsx';
import { RECIPIENT_COLUMNS, RECIPIENT_COUNT_OPTIONS } from '../../../ui/results/recipient-columns.tsx';

type Query = NonNullable<ListBroadcastRecipientsData['query']>;

const OPTIONS = [
  ...RECIPIENT_COUNT_OPTIONS,
  { value: 'suppressed', label: 'Suppressed' },
  { value: 'cancelled', label: 'Cancelled' },
];

/** The people it went to, all or those of one count. */
export function Recipients({ id, pollMs }: { id: string; pollMs: () => number }) {
  const [{ counted }, setUrl] = useUrlState(['counted', 'after']);
  const query: Query = counted === undefined ? {} : { type: counted as NonNullable<Query['type']> }; // an unknown one is refused in words
  const list = useList((page) => listBroadcastRecipientsOptions({ path: { id }, query: { ...page, ...query } }), {
    pollMs,
  });
  const setCounted = (next: string | undefined) => setUrl({ counted: next, after: undefined });
  return (
    <List
      id="broadcast-recipients"
      title="Recipients"
      list={list}
      columns={RECIPIENT_COLUMNS}
      rowKey={({ email_id }) => email_id}
      rowLabel={({ email }) => email}
      rowHref={({ email_id }) => pb.email(email_id)}
      filters={<SelectFilter label="Result" value={counted} options={OPTIONS} onChange={setCounted} />}
      onClearFilters={counted === undefined ? undefined : () => setCounted(undefined)}
      empty={
        <EmptyState icon={<Users size={20} />} title="No recipients yet">
          When the broadcast is sent, everybody who gets it stands here with the state of their email.
        </EmptyState>
      }
      call={{ method: 'GET', path: withQuery(`/v1/broadcasts/${id}/recipients`, query) }}
    />
  );
}
