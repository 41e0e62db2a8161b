import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { getListOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import type { ContactList } from '../../../api/generated/types.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { counted } from '../../../lib/number.ts';
import { pb } from '../../../lib/paths.ts';
import { useUrlState } from '../../../lib/use-url-state.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { CurlButton } from '../../../ui/code/CurlButton.tsx';
import { lazyTab } from '../../../ui/record/lazy-tab.tsx';
import { RecordPage } from '../../../ui/record/RecordPage.tsx';
import { ChangeAllButton } from '../bulk/ChangeAllButton.tsx';
import { ExportContacts } from '../ExportContacts.tsx';
import { ListMembers } from './ListMembers.tsx';

const ListSettings = lazyTab('settings', () => import('./ListSettings.tsx').then((file) => file.ListSettings));

/** One list of contacts: who is on it, and its name. */
export function OneListPage() {
  const { id = '' } = useParams({ strict: false });
  const [{ tab }, setUrl] = useUrlState(['tab', 'after', 'search']);
  const whyNot = useWhyNot('contacts:write');
  const { data: list, error, refetch } = useQuery(getListOptions({ path: { id } }));
  return (
    <RecordPage
      title={list?.name}
      description={list && describe(list)}
      crumbs={[{ label: 'Lists', href: pb.lists() }]}
      actions={
        list && (
          <>
            <CurlButton call={{ method: 'GET', path: `/v1/lists/${id}` }} />
            <ExportContacts query={{ list_id: id }} />
            <ChangeAllButton
              filter={{ match: 'all', conditions: [{ field: `list:${id}`, op: 'is_true' }] }}
              of={`all on ${list.name}`}
              label="Change all"
            />
            <ActionButton href={pb.listImport(id)} disabledReason={whyNot}>
              Import a file
            </ActionButton>
          </>
        )
      }
      tabs={list === undefined ? [] : tabsOf(list)}
      tab={tab}
      onTab={(next) => setUrl({ tab: next, after: undefined, search: undefined }, { push: true })}
      error={error}
      onRetry={() => void refetch()}
    />
  );
}

const describe = ({ description, contact_count: count }: ContactList): string =>
  description === null ? counted(count, 'contact') : `${counted(count, 'contact')} · ${description}`;

const tabsOf = (list: ContactList) => [
  { id: 'members', label: 'Contacts', content: () => <ListMembers list={list} /> },
  { id: 'settings', label: 'Settings', content: () => <ListSettings key={list.id} list={list} /> },
];
