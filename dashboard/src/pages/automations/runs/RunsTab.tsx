import { Footprints } from 'lucide-react';
import { listAutomationRunsOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import type { Automation, AutomationRunSummary } from '../../../api/generated/types.gen.ts';
import { useList } from '../../../api/use-list.ts';
import { withQuery } from '../../../lib/curl.ts';
import { pb } from '../../../lib/paths.ts';
import { useUrlState } from '../../../lib/use-url-state.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import type { Column } from '../../../ui/list/columns.ts';
import { SearchFilter, SelectFilter } from '../../../ui/list/filters.tsx';
import { List } from '../../../ui/list/ListPage.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { CancelRuns } from './CancelRuns.tsx';
import { placeOf, RUN_STATES } from './run-state.ts';

const POLL_MS = 6_000;
const STATE_OPTIONS = Object.entries(RUN_STATES).map(([value, { label }]) => ({ value, label }));

const COLUMNS: readonly Column<AutomationRunSummary>[] = [
  { id: 'email', header: 'Person', cell: ({ email, test }) => (test ? `${email} (test)` : email) },
  {
    id: 'status',
    header: 'Status',
    width: '112px',
    cell: ({ status }) => <StatusBadge tone={RUN_STATES[status].tone}>{RUN_STATES[status].label}</StatusBadge>,
  },
  { id: 'place', header: 'Where', width: '32%', priority: 2, onPhone: true, cell: placeOf },
  { id: 'version', header: 'Version', width: '80px', align: 'right', priority: 3, cell: ({ version }) => version },
  {
    id: 'next',
    header: 'Goes on',
    width: '92px',
    align: 'right',
    priority: 3,
    cell: ({ next_at }) => next_at !== null && <RelativeTime at={next_at} inRow />,
  },
  {
    id: 'started',
    header: 'Began',
    width: '92px',
    align: 'right',
    priority: 2,
    onPhone: true,
    cell: ({ started_at }) => <RelativeTime at={started_at} inRow />,
  },
];

/** The people who entered, newest first, and where they are. */
export function RunsTab({ automation }: { automation: Automation }) {
  const { id } = automation;
  const [{ status, email }, setUrl] = useUrlState(['status', 'email', 'after']);
  const query = { status: status as AutomationRunSummary['status'] | undefined, email }; // an unknown one is refused in words
  const list = useList((page) => listAutomationRunsOptions({ path: { id }, query: { ...page, ...query } }), {
    pollMs: POLL_MS,
  });
  const setFilter = (change: Partial<Record<'status' | 'email', string | undefined>>) =>
    setUrl({ ...change, after: undefined });
  const isFiltered = status !== undefined || email !== undefined;
  return (
    <List
      id="automation-runs"
      title="Runs"
      list={list}
      columns={COLUMNS}
      rowKey={(run) => run.id}
      rowLabel={(run) => run.email}
      rowHref={(run) => pb.automationRun(id, run.id)}
      filters={
        <>
          <SearchFilter label="Whole address" value={email} onChange={(next) => setFilter({ email: next })} />
          <SelectFilter
            label="Status"
            value={status}
            options={STATE_OPTIONS}
            onChange={(next) => setFilter({ status: next })}
          />
        </>
      }
      onClearFilters={isFiltered ? () => setFilter({ status: undefined, email: undefined }) : undefined}
      tools={<CancelRuns automationId={id} email={email} />}
      empty={
        <EmptyState icon={<Footprints size={20} />} title="Nobody has entered yet">
          {automation.status === 'enabled'
            ? 'A run appears here as soon as the trigger fires for somebody.'
            : 'Enable the automation to let people in.'}
        </EmptyState>
      }
      call={{ method: 'GET', path: withQuery(`/v1/automations/${id}/runs`, query) }}
    />
  );
}
