import { Ban } from 'lucide-react';
import { listSuppressionsOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { Suppression, SuppressionReason } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useList } from '../../api/use-list.ts';
import { withQuery } from '../../lib/curl.ts';
import { pb } from '../../lib/paths.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { breakableAddress } from '../../ui/breakable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { lazyDialog } from '../../lib/lazy-part.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { SearchFilter, SelectFilter } from '../../ui/list/filters.tsx';
import { ListPage } from '../../ui/list/ListPage.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { ExportSuppressions } from './ExportSuppressions.tsx';
import { LiftMany } from './LiftMany.tsx';
import { REASON_OPTIONS, REASONS } from './reasons.ts';

const AddSuppressions = lazyDialog(() => import('./AddSuppressions.tsx').then((file) => file.AddSuppressions));

const ImportSuppressions = lazyDialog(() => import('./ImportSuppressions.tsx').then((file) => file.ImportSuppressions));

const COLUMNS: readonly Column<Suppression>[] = [
  { id: 'email', header: 'Address', cell: ({ email }) => breakableAddress(email) },
  {
    id: 'reason',
    header: 'Reason',
    width: '150px',
    priority: 2,
    onPhone: true,
    cell: ({ reason }) => <StatusBadge tone={REASONS[reason].tone}>{REASONS[reason].label}</StatusBadge>,
  },
  { id: 'note', header: 'Note', priority: 2, onPhone: true, optional: 'shown', cell: ({ note }) => note },
  {
    id: 'expires',
    header: 'Expires',
    width: '120px',
    priority: 3,
    onPhone: ({ expires_at: at }) =>
      at !== null && (
        <>
          Expires <RelativeTime at={at} inRow />
        </>
      ),
    optional: 'hidden',
    cell: ({ expires_at }) => <RelativeTime at={expires_at} inRow />,
  },
  {
    id: 'added',
    header: 'Added',
    width: '110px',
    align: 'right',
    priority: 2,
    onPhone: true,
    cell: ({ created_at }) => <RelativeTime at={created_at} inRow />,
  },
];

/** Addresses that get no mail from this workspace. The model of a list page: copy it for another list. */
export function SuppressionsPage() {
  const [{ search, reason, add, file }, setUrl] = useUrlState(['search', 'reason', 'add', 'file', 'after']);
  const whyNot = useWhyNot('suppressions:write');
  const query = { search, reason: reason as SuppressionReason | undefined }; // an unknown reason is refused in words
  const list = useList((page) => listSuppressionsOptions({ query: { ...page, ...query } }));
  const setFilter = (change: { search?: string | undefined; reason?: string | undefined }) =>
    setUrl({ ...change, after: undefined });
  const openAdd = () => setUrl({ add: '1' }, { push: true });
  const openImport = () => setUrl({ file: '1' }, { push: true });
  const importButton = (
    <ActionButton variant="default" onClick={openImport} disabledReason={whyNot}>
      Import
    </ActionButton>
  );
  return (
    <>
      <ListPage
        id="suppressions"
        title="Suppressions"
        description="Posthorn sends nothing to these addresses, whoever asks."
        actions={
          <>
            <ExportSuppressions query={query} />
            {importButton}
            <ActionButton onClick={openAdd} disabledReason={whyNot}>
              Suppress addresses
            </ActionButton>
          </>
        }
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowLabel={({ email }) => email}
        rowHref={({ id }) => pb.suppression(id)}
        filters={
          <>
            <SearchFilter label="Search addresses" value={search} onChange={(next) => setFilter({ search: next })} />
            <SelectFilter
              label="Reason"
              value={reason}
              options={REASON_OPTIONS}
              onChange={(next) => setFilter({ reason: next })}
            />
          </>
        }
        onClearFilters={
          search === undefined && reason === undefined
            ? undefined
            : () => setFilter({ search: undefined, reason: undefined })
        }
        empty={
          <EmptyState
            icon={<Ban size={20} />}
            title="No address is suppressed"
            action={
              <ActionButton variant="default" onClick={openAdd} disabledReason={whyNot}>
                Suppress addresses
              </ActionButton>
            }
          >
            Hard bounces and complaints add addresses by themselves. You can also add the ones you know of, or import
            the list of another service.
          </EmptyState>
        }
        bulk={(rows, clear) => <LiftMany rows={rows} onDone={clear} disabledReason={whyNot} />}
        call={{ method: 'GET', path: withQuery('/v1/suppressions', query) }}
      />
      <ImportSuppressions opened={file !== undefined} onClose={() => setUrl({ file: undefined })} />
      <AddSuppressions opened={add !== undefined} onClose={() => setUrl({ add: undefined })} />
    </>
  );
}
