import { Users } from 'lucide-react';
import { listIssueRecipientsOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import type { ListIssueRecipientsData } from '../../../api/generated/types.gen.ts';
import { useList } from '../../../api/use-list.ts';
import { withQuery } from '../../../lib/curl.ts';
import { pb } from '../../../lib/paths.ts';
import { useUrlState } from '../../../lib/use-url-state.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { SearchFilter, SelectFilter } from '../../../ui/list/filters.tsx';
import { List } from '../../../ui/list/ListPage.tsx';
import {
  RECIPIENT_COLUMNS,
  RECIPIENT_COUNT_OPTIONS,
  RECIPIENT_STATE_OPTIONS,
} from '../../../ui/results/recipient-columns.tsx';
import type { IssueIds } from './SendIssue.tsx';

type Query = NonNullable<ListIssueRecipientsData['query']>;

export function Recipients({ path, pollMs }: { path: IssueIds; pollMs: () => number }) {
  const [{ status, counted, search }, setUrl] = useUrlState(['status', 'counted', 'search', 'after']);
  const query = {
    ...(status === undefined ? {} : { status: status as Query['status'] }), // an unknown one is refused in words
    ...(counted === undefined ? {} : { counted: counted as Query['counted'] }), // as above
    ...(search === undefined ? {} : { search }),
  } as Query; // none of them is undefined
  const list = useList((page) => listIssueRecipientsOptions({ path, query: { ...page, ...query } }), { pollMs });
  const setFilter = (change: {
    status?: string | undefined;
    counted?: string | undefined;
    search?: string | undefined;
  }) => setUrl({ ...change, after: undefined });
  const isFiltered = status !== undefined || counted !== undefined || search !== undefined;
  return (
    <List
      id="issue-recipients"
      title="Recipients"
      list={list}
      columns={RECIPIENT_COLUMNS}
      rowKey={({ email_id }) => email_id}
      rowLabel={({ email }) => email}
      rowHref={({ email_id }) => pb.email(email_id)}
      filters={
        <>
          <SearchFilter label="Search addresses" value={search} onChange={(next) => setFilter({ search: next })} />
          <SelectFilter
            label="Result"
            value={counted}
            options={RECIPIENT_COUNT_OPTIONS}
            onChange={(next) => setFilter({ counted: next, status: undefined })}
          />
          <SelectFilter
            label="State"
            value={status}
            options={RECIPIENT_STATE_OPTIONS}
            onChange={(next) => setFilter({ status: next, counted: undefined })}
          />
        </>
      }
      onClearFilters={
        isFiltered ? () => setFilter({ status: undefined, counted: undefined, search: undefined }) : undefined
      }
      empty={
        <EmptyState icon={<Users size={20} />} title="No recipients yet">
          When the issue is sent, everybody who gets it stands here with the state of their email.
        </EmptyState>
      }
      call={{ method: 'GET', path: withQuery(`/v1/newsletters/${path.id}/issues/${path.issueId}/recipients`, query) }}
    />
  );
}
