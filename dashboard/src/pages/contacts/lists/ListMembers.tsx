import { Users } from 'lucide-react';
import { listContactsOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import { addToList, removeFromList } from '../../../api/generated/sdk.gen.ts';
import type { Contact, ContactList } from '../../../api/generated/types.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useList } from '../../../api/use-list.ts';
import { useWrite } from '../../../api/use-write.ts';
import { withQuery } from '../../../lib/curl.ts';
import { lazyDialog } from '../../../lib/lazy-part.tsx';
import { counted } from '../../../lib/number.ts';
import { pb } from '../../../lib/paths.ts';
import { useUrlState } from '../../../lib/use-url-state.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { SearchFilter } from '../../../ui/list/filters.tsx';
import { List } from '../../../ui/list/ListPage.tsx';
import { toastDone, toastError, toastUndo } from '../../../ui/toasts.tsx';
import { CONTACT_COLUMNS } from '../contact-columns.tsx';
import { CONTACTS_CHANGE } from '../contacts-change.ts';

const AddMembers = lazyDialog(() => import('./AddMembers.tsx').then((file) => file.AddMembers));

/** The contacts on a list. */
export function ListMembers({ list: { id, name } }: { list: ContactList }) {
  const [{ search, add }, setUrl] = useUrlState(['search', 'add', 'after']);
  const whyNot = useWhyNot('contacts:write');
  const query = { list_id: id, search };
  const list = useList((page) => listContactsOptions({ query: { ...page, ...query } }));
  const openAdd = () => setUrl({ add: '1' }, { push: true });
  const setSearch = (next: string | undefined) => setUrl({ search: next, after: undefined });
  const addButton = (
    <ActionButton variant="default" size="xs" onClick={openAdd} disabledReason={whyNot}>
      Add contacts
    </ActionButton>
  );
  return (
    <>
      <List
        id="list-members"
        title={`Contacts on ${name}`}
        list={list}
        columns={CONTACT_COLUMNS}
        rowKey={(row) => row.id}
        rowLabel={({ email }) => email}
        rowHref={(row) => pb.contact(row.id)}
        filters={<SearchFilter label="Search addresses and names" value={search} onChange={setSearch} />}
        onClearFilters={search === undefined ? undefined : () => setSearch(undefined)}
        tools={addButton}
        empty={
          <EmptyState
            icon={<Users size={20} />}
            title="Nobody is on this list yet"
            action={
              <>
                <ActionButton href={pb.listImport(id)} disabledReason={whyNot}>
                  Import a file
                </ActionButton>
                <ActionButton variant="default" onClick={openAdd} disabledReason={whyNot}>
                  Add contacts
                </ActionButton>
              </>
            }
          >
            Bring a file of contacts, or add those who are here already by their addresses.
          </EmptyState>
        }
        bulk={(rows, clear) => <TakeOff listId={id} name={name} rows={rows} onDone={clear} />}
        call={{ method: 'GET', path: withQuery('/v1/contacts', query) }}
      />
      <AddMembers listId={id} opened={add !== undefined} onClose={() => setUrl({ add: undefined })} />
    </>
  );
}

interface TakeOffProps {
  listId: string;
  name: string;
  rows: readonly Contact[];
  onDone: () => void;
}

function TakeOff({ listId, name, rows, onDone }: TakeOffProps) {
  const whyNot = useWhyNot('contacts:write');
  const path = { id: listId };
  const back = useWrite({
    call: (ids: string[]) => addToList({ path, body: { contact_ids: ids }, throwOnError: true }),
    changes: CONTACTS_CHANGE,
    onDone: ({ added }) => toastDone(`${counted(added, 'contact is', 'contacts are')} on ${name} again.`),
    onError: toastError,
  });
  const remove = useWrite({
    call: (ids: string[]) => removeFromList({ path, body: { contact_ids: ids }, throwOnError: true }),
    changes: CONTACTS_CHANGE,
    onDone: ({ removed }, ids) => {
      toastUndo(`${counted(removed, 'contact is', 'contacts are')} off ${name}.`, () => back.mutate(ids));
      onDone();
    },
    onError: toastError,
  });
  return (
    <ActionButton
      variant="default"
      size="xs"
      loading={remove.isPending}
      disabledReason={whyNot}
      onClick={() => remove.mutate(rows.map(({ id }) => id))}
    >
      Take off the list
    </ActionButton>
  );
}
