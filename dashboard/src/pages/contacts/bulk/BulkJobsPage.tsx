import { useQuery } from '@tanstack/react-query';
import { ListChecks } from 'lucide-react';
import { allLists, allProperties, allSegments } from '../../../api/audience.ts';
import { listBulkContactJobsOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import type { BulkContactJob } from '../../../api/generated/types.gen.ts';
import { useList } from '../../../api/use-list.ts';
import { formatCount } from '../../../lib/number.ts';
import { pb } from '../../../lib/paths.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import type { Column } from '../../../ui/list/columns.ts';
import { ListPage } from '../../../ui/list/ListPage.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import type { Names } from '../segments/builder/filter-fields.ts';
import { filterWords } from '../segments/filter-words.ts';
import { JOB_STATES, titleOf } from './bulk-words.ts';

const POLL_MS = 3_000;

const titleIn = ({ action }: BulkContactJob, { lists }: Names): string =>
  titleOf(action, lists.find(({ id }) => id === action.list_id)?.name ?? 'a list');

const columnsWith = (names: Names): readonly Column<BulkContactJob>[] => [
  { id: 'action', header: 'Change', width: '200px', cell: (job) => titleIn(job, names) },
  {
    id: 'filter',
    header: 'Contacts who meet',
    priority: 3,
    onPhone: true,
    cell: ({ filter }) => filterWords(filter, names),
  },
  {
    id: 'status',
    header: 'Status',
    width: '130px',
    cell: ({ status }) => <StatusBadge tone={JOB_STATES[status].tone}>{JOB_STATES[status].label}</StatusBadge>,
  },
  {
    id: 'changed',
    header: 'Changed',
    width: '90px',
    align: 'right',
    priority: 2,
    onPhone: ({ changed }) => `${formatCount(changed)} changed`,
    cell: ({ changed }) => formatCount(changed),
  },
  {
    id: 'at',
    header: 'Started',
    width: '110px',
    align: 'right',
    priority: 2,
    onPhone: true,
    cell: ({ created_at }) => <RelativeTime at={created_at} inRow />,
  },
];

/** Changes of many contacts, the newest first. */
export function BulkJobsPage() {
  const { data: lists = [] } = useQuery(allLists);
  const { data: segments = [] } = useQuery(allSegments);
  const { data: properties = [] } = useQuery(allProperties);
  const names = { lists, segments, properties };
  const list = useList((page) => listBulkContactJobsOptions({ query: page }), { pollMs: POLL_MS });
  return (
    <ListPage
      id="bulk-jobs"
      title="Changes of many contacts"
      description="A change can be undone for 24 hours after its end, and is listed for 30 days."
      crumbs={[{ label: 'Contacts', href: pb.contacts() }]}
      list={list}
      columns={columnsWith(names)}
      rowKey={({ id }) => id}
      rowLabel={(job) => titleIn(job, names)}
      rowHref={({ id }) => pb.bulkJob(id)}
      empty={
        <EmptyState icon={<ListChecks size={20} />} title="Nothing was changed at once yet">
          Choose Change all on the page of contacts, or on a segment, to change everybody who meets a filter.
        </EmptyState>
      }
      call={{ method: 'GET', path: '/v1/contacts/bulk' }}
    />
  );
}
