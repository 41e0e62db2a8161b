import { Users } from 'lucide-react';
import { listIssueRecipientsOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import type { IssueRecipient, ListIssueRecipientsData } from '../../../api/generated/types.gen.ts';
import { useList } from '../../../api/use-list.ts';
import { answerWords } from '../../../lib/mail/smtp-answer.ts';
import { withQuery } from '../../../lib/curl.ts';
import { formatCount } from '../../../lib/number.ts';
import { pb } from '../../../lib/paths.ts';
import { useUrlState } from '../../../lib/use-url-state.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import type { Column } from '../../../ui/list/columns.ts';
import { SearchFilter, SelectFilter } from '../../../ui/list/filters.tsx';
import { List } from '../../../ui/list/ListPage.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { StatusBadge, type Tone } from '../../../ui/StatusBadge.tsx';
import type { IssueIds } from './SendIssue.tsx';

const STATES: Readonly<Record<string, { label: string; tone: Tone }>> = {
  pending: { label: 'Waiting', tone: 'quiet' },
  queued: { label: 'Queued', tone: 'info' },
  sending: { label: 'Sending', tone: 'info' },
  unconfirmed: { label: 'No answer yet', tone: 'warn' },
  sent: { label: 'Sent', tone: 'info' },
  delivery_delayed: { label: 'Delayed', tone: 'warn' },
  delivered: { label: 'Delivered', tone: 'ok' },
  bounced: { label: 'Bounced', tone: 'bad' },
  complained: { label: 'Complained', tone: 'bad' },
  failed: { label: 'Failed', tone: 'bad' },
  suppressed: { label: 'Suppressed', tone: 'quiet' },
  cancelled: { label: 'Cancelled', tone: 'quiet' },
};
const STATE_OPTIONS = Object.entries(STATES).map(([value, { label }]) => ({ value, label }));

/** The counts of the results: each lists as many as it says. */
const COUNT_OPTIONS = [
  { value: 'delivered', label: 'Delivered' },
  { value: 'opened', label: 'Opened' },
  { value: 'clicked', label: 'Clicked' },
  { value: 'bounced', label: 'Bounced' },
  { value: 'complained', label: 'Complained' },
  { value: 'unsubscribed', label: 'Unsubscribed' },
  { value: 'pending', label: 'Not sent yet' },
  { value: 'sent', label: 'Sent' },
  { value: 'failed', label: 'Never sent' },
  { value: 'refused', label: 'Refused' },
];

const COLUMNS: readonly Column<IssueRecipient>[] = [
  { id: 'email', header: 'Address', cell: ({ email }) => email },
  {
    id: 'status',
    header: 'State',
    width: '140px',
    cell: ({ status }) => (
      <StatusBadge tone={STATES[status]?.tone ?? 'quiet'}>{STATES[status]?.label ?? status}</StatusBadge>
    ),
  },
  {
    id: 'opens',
    header: 'Opens',
    width: '80px',
    align: 'right',
    priority: 2,
    cell: ({ open_count }) => formatCount(open_count),
  },
  {
    id: 'clicks',
    header: 'Clicks',
    width: '80px',
    align: 'right',
    priority: 2,
    cell: ({ click_count }) => formatCount(click_count),
  },
  {
    id: 'error',
    header: 'Answer',
    width: '26%',
    priority: 3,
    optional: 'shown',
    cell: ({ error }) => answerWords(error),
  },
  {
    id: 'last',
    header: 'Last event',
    width: '110px',
    align: 'right',
    priority: 2,
    cell: ({ last_event_at }) => <RelativeTime at={last_event_at} inRow none="—" />,
  },
];

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
      columns={COLUMNS}
      rowKey={({ email_id }) => email_id}
      rowLabel={({ email }) => email}
      rowHref={({ email_id }) => pb.email(email_id)}
      filters={
        <>
          <SearchFilter label="Search addresses" value={search} onChange={(next) => setFilter({ search: next })} />
          <SelectFilter
            label="Result"
            value={counted}
            options={COUNT_OPTIONS}
            onChange={(next) => setFilter({ counted: next, status: undefined })}
          />
          <SelectFilter
            label="State"
            value={status}
            options={STATE_OPTIONS}
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
