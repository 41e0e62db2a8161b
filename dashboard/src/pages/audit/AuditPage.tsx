import { ScrollText } from 'lucide-react';
import { listAuditEntriesOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { AuditEntry } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useList } from '../../api/use-list.ts';
import { actionWords } from '../../lib/action-words.ts';
import { withQuery } from '../../lib/curl.ts';
import { pb } from '../../lib/paths.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { SearchFilter, SelectFilter } from '../../ui/list/filters.tsx';
import { ListPage } from '../../ui/list/ListPage.tsx';
import { TimeFilter } from '../../ui/list/TimeFilter.tsx';
import { NotForRole } from '../../ui/NotForRole.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { ACTION_OPTIONS, ACTOR_OPTIONS, actorOf, changeWords, entryWords, recordWords } from './audit-words.ts';
import { AuditRecord } from './AuditRecord.tsx';

const COLUMNS: readonly Column<AuditEntry>[] = [
  { id: 'action', header: 'Action', cell: entryWords },
  { id: 'actor', header: 'By', width: 'min(180px, 38cqw)', cell: actorOf },
  { id: 'target', header: 'Record', width: '220px', priority: 2, onPhone: true, cell: recordWords },
  {
    id: 'changes',
    header: 'Changed',
    priority: 3,
    onPhone: true,
    cell: changeWords,
  },
  {
    id: 'ip',
    header: 'From',
    width: '130px',
    priority: 3,
    onPhone: true,
    optional: 'hidden',
    cell: ({ actor }) => actor.ip,
  },
  {
    id: 'at',
    header: 'When',
    width: '110px',
    align: 'right',
    priority: 2,
    onPhone: true,
    cell: ({ at }) => <RelativeTime at={at} inRow />,
  },
];

const FILTERS = ['actor', 'action', 'target', 'since', 'until'] as const;
const POLL_MS = 10_000;

const TITLE = 'Audit log';
const DESCRIPTION = 'What people, API keys and Posthorn changed in this workspace.';

/** Every change that people and keys made, with the values before and after. */
export function AuditPage() {
  const whyNot = useWhyNot('workspace:audit');
  return whyNot === undefined ? <AuditLog /> : <NotForRole title={TITLE} description={DESCRIPTION} reason={whyNot} />;
}

function AuditLog() {
  const [{ entry, after, ...query }, setUrl] = useUrlState([...FILTERS, 'entry', 'after']);
  const list = useList((page) => listAuditEntriesOptions({ query: { ...page, ...query } }), { pollMs: POLL_MS });
  const set = (change: Partial<Record<(typeof FILTERS)[number], string | undefined>>) =>
    setUrl({ ...change, after: undefined });
  const shown = list.rows?.find(({ id }) => id === entry);
  const none = Object.fromEntries(FILTERS.map((name) => [name, undefined]));
  const actions =
    query.action === undefined || ACTION_OPTIONS.some(({ value }) => value === query.action) ? [] : [query.action];
  return (
    <>
      <ListPage
        id="audit-log"
        title={TITLE}
        description={DESCRIPTION}
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowLabel={(row) => `${entryWords(row)} ${row.at}`}
        rowHref={({ id }) => withQuery(pb.auditLog(), { ...query, after, entry: id })}
        filters={
          <>
            <SearchFilter label="Record" value={query.target} onChange={(next) => set({ target: next })} />
            <SelectFilter
              label="By"
              value={query.actor}
              options={[
                ...ACTOR_OPTIONS,
                ...(query.actor === undefined || ACTOR_OPTIONS.some(({ value }) => value === query.actor)
                  ? []
                  : [{ value: query.actor, label: query.actor }]),
              ]}
              onChange={(next) => set({ actor: next })}
            />
            <SelectFilter
              label="Action"
              value={query.action}
              options={[...ACTION_OPTIONS, ...actions.map((value) => ({ value, label: actionWords(value) }))]}
              onChange={(next) => set({ action: next })}
            />
            <TimeFilter since={query.since} until={query.until} onChange={set} />
          </>
        }
        onClearFilters={Object.values(query).some((value) => value !== undefined) ? () => set(none) : undefined}
        empty={
          <EmptyState icon={<ScrollText size={20} />} title="Nothing was changed yet">
            Each change of a key, a webhook, a member or another record appears here, with who made it.
          </EmptyState>
        }
        call={{ method: 'GET', path: withQuery('/audit', query) }}
      />
      <Dialog
        opened={entry !== undefined}
        onClose={() => setUrl({ entry: undefined })}
        title={shown === undefined ? 'Entry' : entryWords(shown)}
        size="xl"
      >
        <AuditRecord entry={shown} isLoading={list.rows === undefined} />
      </Dialog>
    </>
  );
}
