import { useQuery } from '@tanstack/react-query';
import { Contact as ContactIcon } from 'lucide-react';
import { allLists } from '../../api/audience.ts';
import { listContactsOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useList } from '../../api/use-list.ts';
import { withQuery } from '../../lib/curl.ts';
import { lazyDialog } from '../../lib/lazy-part.tsx';
import { pb } from '../../lib/paths.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { SearchFilter, SelectFilter } from '../../ui/list/filters.tsx';
import { ListPage } from '../../ui/list/ListPage.tsx';
import { ChangeAllButton } from './bulk/ChangeAllButton.tsx';
import { CONTACT_COLUMNS } from './contact-columns.tsx';
import { ContactBulk } from './ContactBulk.tsx';
import { CONTACT_FILTERS, contactsQuery, filterOfQuery } from './contacts-query.ts';
import { ExportContacts } from './ExportContacts.tsx';

const AddContact = lazyDialog(() => import('./AddContact.tsx').then((file) => file.AddContact));

const STATES = [
  { value: 'false', label: 'Subscribed' },
  { value: 'true', label: 'Unsubscribed' },
];

type Change = { readonly [Name in (typeof CONTACT_FILTERS)[number]]?: string | undefined };

/** The people whom the workspace knows. */
export function ContactsPage() {
  const [{ search, unsubscribed, list_id, add }, setUrl] = useUrlState([...CONTACT_FILTERS, 'add', 'after']);
  const whyNot = useWhyNot('contacts:write');
  const { data: lists = [] } = useQuery(allLists);
  const query = contactsQuery({ search, unsubscribed, list_id });
  const list = useList((page) => listContactsOptions({ query: { ...page, ...query } }));
  const setFilter = (change: Change) => setUrl({ ...change, after: undefined });
  const openAdd = () => setUrl({ add: '1' }, { push: true });
  const isFiltered = [search, unsubscribed, list_id].some((value) => value !== undefined);
  return (
    <>
      <ListPage
        id="contacts"
        title="Contacts"
        description="People you know, with their properties. Subscribers of newsletters are apart from them."
        actions={
          <>
            <ExportContacts query={list_id === undefined ? {} : { list_id }} />
            <ActionButton variant="default" href={pb.bulkJobs()}>
              Past changes
            </ActionButton>
            <ChangeAllButton
              filter={filterOfQuery({ search, unsubscribed, list_id })}
              of={isFiltered ? 'all that match the filters' : 'all contacts'}
              label={isFiltered ? 'Change all that match' : 'Change all'}
            />
            <ActionButton onClick={openAdd} disabledReason={whyNot}>
              Add contact
            </ActionButton>
          </>
        }
        list={list}
        columns={CONTACT_COLUMNS}
        rowKey={({ id }) => id}
        rowLabel={({ email }) => email}
        rowHref={({ id }) => pb.contact(id)}
        filters={
          <>
            <SearchFilter
              label="Search addresses and names"
              value={search}
              onChange={(next) => setFilter({ search: next })}
            />
            <SelectFilter
              label="List"
              value={list_id}
              options={lists.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={(next) => setFilter({ list_id: next })}
            />
            <SelectFilter
              label="Subscription"
              value={unsubscribed}
              options={STATES}
              onChange={(next) => setFilter({ unsubscribed: next })}
            />
          </>
        }
        onClearFilters={
          isFiltered ? () => setFilter({ search: undefined, unsubscribed: undefined, list_id: undefined }) : undefined
        }
        empty={
          <EmptyState
            icon={<ContactIcon size={20} />}
            title="No contact yet"
            action={
              <>
                <ActionButton onClick={openAdd} disabledReason={whyNot}>
                  Add contact
                </ActionButton>
                <ActionButton variant="default" href={pb.lists()}>
                  Import a file into a list
                </ActionButton>
              </>
            }
          >
            A contact is an address with names and properties of your own. Add one here, a file in a list, or up to
            1,000 in one request of the API.
          </EmptyState>
        }
        bulk={(rows, clear) => <ContactBulk rows={rows} onDone={clear} />}
        call={{ method: 'GET', path: withQuery('/v1/contacts', query) }}
      />
      <AddContact opened={add !== undefined} onClose={() => setUrl({ add: undefined })} />
    </>
  );
}
