import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { listDomainsOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { DomainSummary } from '../../api/generated/types.gen.ts';
import { useSession, useWhyNot } from '../../api/session.ts';
import { lazyDialog } from '../../lib/lazy-part.tsx';
import type { ListState } from '../../lib/list-state.ts';
import { formatCount } from '../../lib/number.ts';
import { pb } from '../../lib/paths.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { SearchFilter, SelectFilter } from '../../ui/list/filters.tsx';
import { ListPage } from '../../ui/list/ListPage.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { isSandbox, pollMsOf, STATE_OPTIONS, STATES } from './domain-state.ts';
import { SelfHosted } from './SelfHosted.tsx';
import { WhyADomain } from './WhyADomain.tsx';

const AddDomain = lazyDialog(() => import('./adding/AddDomain.tsx').then((file) => file.AddDomain));

const COLUMNS: readonly Column<DomainSummary>[] = [
  { id: 'domain', header: 'Domain', cell: ({ domain }) => domain },
  {
    id: 'state',
    header: 'State',
    width: '172px',
    cell: ({ dkim_status: status }) => <StatusBadge tone={STATES[status].tone}>{STATES[status].label}</StatusBadge>,
  },
  {
    id: 'sending',
    header: 'Sending',
    width: '90px',
    priority: 2,
    onPhone: ({ sending_enabled: isOn }) => !isOn && 'Sending is off',
    cell: ({ sending_enabled: isOn }) => (isOn ? 'On' : 'Off'),
  },
  {
    id: 'limits',
    header: 'Limits',
    width: '190px',
    priority: 3,
    onPhone: (row) => hasLimits(row) && limitsOf(row),
    optional: 'shown',
    cell: limitsOf,
  },
  {
    id: 'region',
    header: 'Region',
    width: '110px',
    priority: 3,
    onPhone: true,
    optional: 'hidden',
    cell: (row) => row.provider_region,
  },
  {
    id: 'checked',
    header: 'Last check',
    width: '110px',
    align: 'right',
    priority: 2,
    onPhone: ({ last_checked_at: at }) =>
      at !== null && (
        <>
          Checked <RelativeTime at={at} inRow />
        </>
      ),
    cell: (row) => <RelativeTime at={row.last_checked_at} none={isSandbox(row) ? '—' : 'Never'} inRow />,
  },
  {
    id: 'added',
    header: 'Added',
    width: '110px',
    align: 'right',
    priority: 3,
    optional: 'hidden',
    cell: ({ created_at }) => <RelativeTime at={created_at} inRow />,
  },
];

const hasLimits = ({ max_daily_emails: day, max_monthly_emails: month }: DomainSummary): boolean =>
  day !== null || month !== null;

function limitsOf({ max_daily_emails: day, max_monthly_emails: month }: DomainSummary): string {
  const parts = [
    ...(day === null ? [] : [`${formatCount(day)} a day`]),
    ...(month === null ? [] : [`${formatCount(month)} a month`]),
  ];
  return parts.length === 0 ? 'None' : parts.join(', ');
}

/** The domains that mail is sent from. */
export function DomainsPage() {
  const { workspace } = useSession();
  return workspace?.edition === 'self-hosted' ? <SelfHosted title="Domains" /> : <Domains />;
}

function Domains() {
  const router = useRouter();
  const [{ search, state, add }, setUrl] = useUrlState(['search', 'state', 'add']);
  const whyNot = useWhyNot('domains:write');
  const { data, error, refetch } = useQuery({
    ...listDomainsOptions(),
    refetchInterval: ({ state: { data: last } }) => Math.min(60_000, ...(last?.data ?? []).map(pollMsOf)),
  });
  const all = data?.data;
  const rows = all?.filter(
    ({ domain, dkim_status: status }) =>
      domain.includes((search ?? '').trim().toLowerCase()) && (state === undefined || status === state),
  );
  const addButton = (
    <ActionButton onClick={() => setUrl({ add: '1' }, { push: true })} disabledReason={whyNot}>
      Add a domain
    </ActionButton>
  );
  const isFiltered = search !== undefined || state !== undefined;
  const hasOwn = all?.some((row) => !isSandbox(row));
  return (
    <>
      <ListPage
        id="domains"
        title="Domains"
        description="You send from the domains that are verified here."
        actions={addButton}
        list={onePage(rows, error, () => void refetch())}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowLabel={({ domain }) => domain}
        rowHref={({ id }) => pb.domain(id)}
        filters={
          <>
            <SearchFilter label="Search domains" value={search} onChange={(next) => setUrl({ search: next })} />
            <SelectFilter
              label="State"
              value={state}
              options={STATE_OPTIONS}
              onChange={(next) => setUrl({ state: next })}
            />
          </>
        }
        onClearFilters={isFiltered ? () => setUrl({ search: undefined, state: undefined }) : undefined}
        empty={null}
        call={{ method: 'GET', path: '/v1/domains' }}
      />
      {hasOwn === false && !isFiltered && <WhyADomain action={addButton} />}
      <AddDomain
        opened={add !== undefined && whyNot === undefined}
        onClose={() => setUrl({ add: undefined })}
        onAdded={(id) => router.history.push(pb.domain(id))}
      />
    </>
  );
}

/** The API answers all domains of a workspace at once: there are few. */
const onePage = <T,>(rows: readonly T[] | undefined, error: unknown, refetch: () => void): ListState<T> => ({
  rows,
  error,
  isStale: false,
  total: rows?.length,
  isEstimate: false,
  onNext: undefined,
  onPrevious: undefined,
  onFirst: undefined,
  refetch,
});
