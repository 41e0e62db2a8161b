import { FileText } from 'lucide-react';
import { listIssuesOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { IssueSummary, Newsletter } from '../../api/generated/types.gen.ts';
import { useList } from '../../api/use-list.ts';
import { withQuery } from '../../lib/curl.ts';
import { counted, formatCount } from '../../lib/number.ts';
import { pb } from '../../lib/paths.ts';
import { shownSubject } from '../../lib/blocks/shown-subject.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { SelectFilter } from '../../ui/list/filters.tsx';
import { List } from '../../ui/list/ListPage.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import {
  MAILING_STATE_OPTIONS,
  MAILING_STATES,
  shareOfDelivered,
  stateWords,
} from '../../ui/results/mailing-states.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { NewIssue } from './NewIssue.tsx';

const POLL_MS = 5_000;

const COLUMNS: readonly Column<IssueSummary>[] = [
  { id: 'subject', header: 'Subject', cell: ({ subject }) => shownSubject(subject) },
  {
    id: 'status',
    header: 'Status',
    width: '150px',
    cell: (issue) => <StatusBadge tone={MAILING_STATES[issue.status].tone}>{stateWords(issue)}</StatusBadge>,
  },
  {
    id: 'recipients',
    header: 'Recipients',
    width: '110px',
    align: 'right',
    priority: 2,
    onPhone: ({ total_recipients: all }) => all !== null && counted(all, 'recipient'),
    cell: ({ total_recipients }) => (total_recipients === null ? '—' : formatCount(total_recipients)),
  },
  {
    id: 'opened',
    header: 'Opened',
    width: '90px',
    align: 'right',
    priority: 2,
    onPhone: ({ stats }) => stats.delivered > 0 && `${shareOfDelivered(stats.opened, stats.delivered)} opened`,
    cell: ({ stats }) => shareOfDelivered(stats.opened, stats.delivered),
  },
  {
    id: 'clicked',
    header: 'Clicked',
    width: '90px',
    align: 'right',
    priority: 3,
    cell: ({ stats }) => shareOfDelivered(stats.clicked, stats.delivered),
  },
  {
    id: 'when',
    header: 'When',
    width: '120px',
    align: 'right',
    priority: 2,
    onPhone: true,
    cell: ({ sent_at, scheduled_for, updated_at, status }) => (
      <RelativeTime at={(status === 'scheduled' ? scheduled_for : sent_at) ?? updated_at} inRow />
    ),
  },
];

/** The issues of a newsletter: a draft opens in the editor, any other on its own page. */
export function IssuesTab({ newsletter }: { newsletter: Newsletter }) {
  const [{ status }, setUrl] = useUrlState(['status', 'after']);
  const query = { status: status as IssueSummary['status'] | undefined }; // an unknown one is refused in words
  const { id } = newsletter;
  const list = useList((page) => listIssuesOptions({ path: { id }, query: { ...page, ...query } }), {
    pollMs: POLL_MS,
  });
  const setStatus = (next: string | undefined) => setUrl({ status: next, after: undefined });
  return (
    <List
      id="issues"
      title="Issues"
      list={list}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rowLabel={({ subject }) => shownSubject(subject)}
      rowHref={(issue) => (issue.status === 'draft' ? pb.issueEdit(id, issue.id) : pb.issue(id, issue.id))}
      filters={<SelectFilter label="Status" value={status} options={MAILING_STATE_OPTIONS} onChange={setStatus} />}
      onClearFilters={status === undefined ? undefined : () => setStatus(undefined)}
      empty={
        <EmptyState
          icon={<FileText size={20} />}
          title="No issue yet"
          action={<NewIssue newsletterId={id} variant="default" />}
        >
          An issue is one mailing to everybody who is active on this list. Write the first one as a draft: nothing is
          sent before you say so.
        </EmptyState>
      }
      call={{ method: 'GET', path: withQuery(`/v1/newsletters/${id}/issues`, query) }}
    />
  );
}
