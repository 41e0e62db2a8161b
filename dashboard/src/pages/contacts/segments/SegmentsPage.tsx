import { useQuery } from '@tanstack/react-query';
import { Funnel } from 'lucide-react';
import { allLists, allProperties, allSegments, sentBroadcasts } from '../../../api/audience.ts';
import { listSegmentsOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import type { Segment } from '../../../api/generated/types.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useList } from '../../../api/use-list.ts';
import { withQuery } from '../../../lib/curl.ts';
import { pb } from '../../../lib/paths.ts';
import { useUrlState } from '../../../lib/use-url-state.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import type { Column } from '../../../ui/list/columns.ts';
import { SearchFilter } from '../../../ui/list/filters.tsx';
import { ListPage } from '../../../ui/list/ListPage.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import type { Names } from './builder/filter-fields.ts';
import { filterWords } from './filter-words.ts';

const columnsWith = (names: Names): readonly Column<Segment>[] => [
  { id: 'name', header: 'Name', width: '280px', cell: ({ name }) => name },
  {
    id: 'filter',
    header: 'Contacts who meet',
    priority: 2,
    onPhone: true,
    cell: ({ filter }) => filterWords(filter, names),
  },
  {
    id: 'changed',
    header: 'Changed',
    width: '110px',
    align: 'right',
    priority: 2,
    onPhone: true,
    cell: ({ updated_at }) => <RelativeTime at={updated_at} inRow />,
  },
];

/** Every segment of contacts. */
export function SegmentsPage() {
  const [{ search }, setUrl] = useUrlState(['search', 'after']);
  const whyNot = useWhyNot('contacts:write');
  const { data: lists = [] } = useQuery(allLists);
  const { data: segments = [] } = useQuery(allSegments);
  const { data: properties = [] } = useQuery(allProperties);
  const { data: broadcasts = [] } = useQuery(sentBroadcasts);
  const list = useList((page) => listSegmentsOptions({ query: { ...page, search } }));
  const setSearch = (next: string | undefined) => setUrl({ search: next, after: undefined });
  return (
    <ListPage
      id="segments"
      title="Segments"
      description="Contacts who meet conditions. A segment is asked each time, so it is never out of date."
      actions={
        <ActionButton href={pb.segmentNew()} disabledReason={whyNot}>
          New segment
        </ActionButton>
      }
      list={list}
      columns={columnsWith({ lists, segments, properties, broadcasts })}
      rowKey={({ id }) => id}
      rowLabel={({ name }) => name}
      rowHref={({ id }) => pb.segment(id)}
      filters={<SearchFilter label="Search names" value={search} onChange={setSearch} />}
      onClearFilters={search === undefined ? undefined : () => setSearch(undefined)}
      empty={
        <EmptyState
          icon={<Funnel size={20} />}
          title="No segment yet"
          action={
            <ActionButton href={pb.segmentNew()} disabledReason={whyNot}>
              New segment
            </ActionButton>
          }
        >
          A segment is a filter with a name: by properties, lists, other segments, and by what people opened. It counts
          while you write it.
        </EmptyState>
      }
      call={{ method: 'GET', path: withQuery('/v1/segments', { search }) }}
    />
  );
}
