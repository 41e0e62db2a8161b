import { LayoutTemplate } from 'lucide-react';
import { listTemplatesOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { TemplateSummary } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useList } from '../../api/use-list.ts';
import { withQuery } from '../../lib/curl.ts';
import { lazyDialog } from '../../lib/lazy-part.tsx';
import { pb } from '../../lib/paths.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { SearchFilter, SelectFilter } from '../../ui/list/filters.tsx';
import { ListPage } from '../../ui/list/ListPage.tsx';
import { Mono } from '../../ui/Mono.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { stateOf } from './template-state.ts';

const NewTemplate = lazyDialog(() => import('./NewTemplate.tsx').then((file) => file.NewTemplate));

const STATES = [
  { value: 'published', label: 'Published' },
  { value: 'draft', label: 'Draft' },
];

const COLUMNS: readonly Column<TemplateSummary>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name },
  {
    id: 'alias',
    header: 'Alias',
    priority: 2,
    onPhone: true,
    cell: ({ alias }) => alias !== null && <Mono>{alias}</Mono>,
  },
  {
    id: 'state',
    header: 'State',
    width: '180px',
    cell: (row) => {
      const { tone, words } = stateOf(row);
      return <StatusBadge tone={tone}>{words}</StatusBadge>;
    },
  },
  { id: 'version', header: 'Version', width: '90px', align: 'right', priority: 3, cell: ({ version }) => version },
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

type Filters = Partial<Record<'search' | 'status', string | undefined>>;

/** Every template of the workspace. */
export function TemplatesPage() {
  const [{ search, status, add }, setUrl] = useUrlState(['search', 'status', 'add', 'after']);
  const whyNot = useWhyNot('templates:write');
  const query = { search, status: status as TemplateSummary['status'] | undefined }; // an unknown one is refused in words
  const list = useList((page) => listTemplatesOptions({ query: { ...page, ...query } }));
  const setFilter = (change: Filters) => setUrl({ ...change, after: undefined });
  const openAdd = () => setUrl({ add: '1' }, { push: true });
  const isFiltered = search !== undefined || status !== undefined;
  return (
    <>
      <ListPage
        id="templates"
        title="Templates"
        description="Subjects and texts with places for data. A send names one and brings the data."
        actions={
          <ActionButton onClick={openAdd} disabledReason={whyNot}>
            New template
          </ActionButton>
        }
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowLabel={({ name }) => name}
        rowHref={({ id }) => pb.template(id)}
        filters={
          <>
            <SearchFilter
              label="Search names and aliases"
              value={search}
              onChange={(next) => setFilter({ search: next })}
            />
            <SelectFilter
              label="State"
              value={status}
              options={STATES}
              onChange={(next) => setFilter({ status: next })}
            />
          </>
        }
        onClearFilters={isFiltered ? () => setFilter({ search: undefined, status: undefined }) : undefined}
        empty={
          <EmptyState
            icon={<LayoutTemplate size={20} />}
            title="No template yet"
            action={
              <ActionButton onClick={openAdd} disabledReason={whyNot}>
                Start with a welcome
              </ActionButton>
            }
          >
            A template is a mail with places for data, such as a welcome or a receipt. Your program sends its alias and
            the data, and the words stay here.
          </EmptyState>
        }
        call={{ method: 'GET', path: withQuery('/v1/templates', query) }}
      />
      <NewTemplate opened={add !== undefined} onClose={() => setUrl({ add: undefined })} />
    </>
  );
}
