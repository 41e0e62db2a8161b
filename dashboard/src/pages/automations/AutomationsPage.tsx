import { Workflow } from 'lucide-react';
import { listAutomationsOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { Automation } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useList } from '../../api/use-list.ts';
import { withQuery } from '../../lib/curl.ts';
import { lazyDialog } from '../../lib/lazy-part.tsx';
import { formatCount } from '../../lib/number.ts';
import { pb } from '../../lib/paths.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { SearchFilter, SelectFilter } from '../../ui/list/filters.tsx';
import { ListPage } from '../../ui/list/ListPage.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { STATES } from './automation-state.ts';
import { eventWords } from './triggers.ts';

const NewAutomation = lazyDialog(() => import('./NewAutomation.tsx').then((file) => file.NewAutomation));

const STATE_OPTIONS = Object.entries(STATES).map(([value, { words }]) => ({ value, label: words }));

const count = (id: keyof Automation['stats'], header: string, width: string): Column<Automation> => ({
  id,
  header,
  width,
  align: 'right',
  priority: id === 'active' || id === 'enrolled' ? 2 : 3,
  cell: ({ stats }) => formatCount(stats[id]),
});

const COLUMNS: readonly Column<Automation>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name },
  {
    id: 'status',
    header: 'Status',
    width: '104px',
    cell: ({ status }) => <StatusBadge tone={STATES[status].tone}>{STATES[status].words}</StatusBadge>,
  },
  {
    id: 'trigger',
    header: 'Trigger',
    width: '17%',
    priority: 3,
    onPhone: true,
    optional: 'shown',
    cell: ({ trigger }) => eventWords(trigger.type),
  },
  count('enrolled', 'Entered', '72px'),
  {
    ...count('active', 'Under way', '88px'),
    onPhone: ({ stats }) => stats.active > 0 && `${formatCount(stats.active)} under way`,
  },
  count('completed', 'Completed', '92px'),
  count('exited', 'Exited', '66px'),
  count('failed', 'Failed', '66px'),
  {
    id: 'changed',
    header: 'Changed',
    width: '84px',
    align: 'right',
    priority: 2,
    onPhone: true,
    cell: ({ updated_at }) => <RelativeTime at={updated_at} inRow />,
  },
];

/** Every automation of the workspace, with the people who entered it. */
export function AutomationsPage() {
  const [{ search, status, add }, setUrl] = useUrlState(['search', 'status', 'add', 'after']);
  const whyNot = useWhyNot('automations:write');
  const query = { search, status: status as Automation['status'] | undefined }; // an unknown one is refused in words
  const list = useList((page) => listAutomationsOptions({ query: { ...page, ...query } }));
  const setFilter = (change: Partial<Record<'search' | 'status', string | undefined>>) =>
    setUrl({ ...change, after: undefined });
  const openAdd = () => setUrl({ add: '1' }, { push: true });
  const isFiltered = search !== undefined || status !== undefined;
  return (
    <>
      <ListPage
        id="automations"
        title="Automations"
        description="Emails to one person when something happens: a trigger, and steps that follow it."
        actions={
          <ActionButton onClick={openAdd} disabledReason={whyNot}>
            New automation
          </ActionButton>
        }
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowLabel={({ name }) => name}
        rowHref={({ id }) => pb.automation(id)}
        filters={
          <>
            <SearchFilter label="Search names" value={search} onChange={(next) => setFilter({ search: next })} />
            <SelectFilter
              label="Status"
              value={status}
              options={STATE_OPTIONS}
              onChange={(next) => setFilter({ status: next })}
            />
          </>
        }
        onClearFilters={isFiltered ? () => setFilter({ search: undefined, status: undefined }) : undefined}
        empty={
          <EmptyState
            icon={<Workflow size={20} />}
            title="No automation yet"
            action={
              <ActionButton onClick={openAdd} disabledReason={whyNot}>
                Make the first one
              </ActionButton>
            }
          >
            An automation mails one person when something happens, such as a welcome after a sign-up or a reminder after
            three quiet days. You can simulate it before anybody is mailed.
          </EmptyState>
        }
        call={{ method: 'GET', path: withQuery('/v1/automations', query) }}
      />
      <NewAutomation opened={add !== undefined} onClose={() => setUrl({ add: undefined })} />
    </>
  );
}
