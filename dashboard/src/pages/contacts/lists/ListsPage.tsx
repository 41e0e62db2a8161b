import { List as ListIcon } from 'lucide-react';
import { listListsOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import type { ContactList } from '../../../api/generated/types.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useList } from '../../../api/use-list.ts';
import { withQuery } from '../../../lib/curl.ts';
import { lazyDialog } from '../../../lib/lazy-part.tsx';
import { formatCount } from '../../../lib/number.ts';
import { pb } from '../../../lib/paths.ts';
import { useUrlState } from '../../../lib/use-url-state.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import type { Column } from '../../../ui/list/columns.ts';
import { SearchFilter } from '../../../ui/list/filters.tsx';
import { ListPage } from '../../../ui/list/ListPage.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';

const NewList = lazyDialog(() => import('./NewList.tsx').then((file) => file.NewList));

const COLUMNS: readonly Column<ContactList>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name },
  {
    id: 'description',
    header: 'Description',
    priority: 2,
    onPhone: true,
    optional: 'shown',
    cell: ({ description }) => description,
  },
  {
    id: 'count',
    header: 'Contacts',
    width: '110px',
    align: 'right',
    cell: ({ contact_count }) => formatCount(contact_count),
  },
  {
    id: 'created',
    header: 'Created',
    width: '110px',
    align: 'right',
    priority: 2,
    cell: ({ created_at }) => <RelativeTime at={created_at} inRow />,
  },
];

/** Every list of contacts. */
export function ListsPage() {
  const [{ search, add }, setUrl] = useUrlState(['search', 'add', 'after']);
  const whyNot = useWhyNot('contacts:write');
  const list = useList((page) => listListsOptions({ query: { ...page, search } }));
  const openAdd = () => setUrl({ add: '1' }, { push: true });
  const setSearch = (next: string | undefined) => setUrl({ search: next, after: undefined });
  return (
    <>
      <ListPage
        id="lists"
        title="Lists"
        description="Groups of contacts that you put together. A person who leaves one is never put on it again."
        actions={
          <ActionButton onClick={openAdd} disabledReason={whyNot}>
            New list
          </ActionButton>
        }
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowLabel={({ name }) => name}
        rowHref={({ id }) => pb.list(id)}
        filters={<SearchFilter label="Search names" value={search} onChange={setSearch} />}
        onClearFilters={search === undefined ? undefined : () => setSearch(undefined)}
        empty={
          <EmptyState
            icon={<ListIcon size={20} />}
            title="No list yet"
            action={
              <ActionButton onClick={openAdd} disabledReason={whyNot}>
                New list
              </ActionButton>
            }
          >
            A list is where a file of contacts goes, and a group that you fill by hand or by the API. For people who
            meet conditions, make a segment.
          </EmptyState>
        }
        call={{ method: 'GET', path: withQuery('/v1/lists', { search }) }}
      />
      <NewList opened={add !== undefined} onClose={() => setUrl({ add: undefined })} />
    </>
  );
}
