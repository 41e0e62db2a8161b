import { ScrollText } from 'lucide-react';
import { listAuditEntriesOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
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
import { type AuditRun, changesOfRun, runsOf } from './audit-runs.ts';
import { ACTION_OPTIONS, ACTOR_OPTIONS, actorOf, changeWords, recordWords, runWords } from './audit-words.ts';
import { AuditRecord } from './AuditRecord.tsx';

const COLUMNS: readonly Column<AuditRun>[] = [
  { id: 'action', header: 'Action', cell: runWords },
  { id: 'actor', header: 'By', width: 'min(180px, 38cqw)', cell: ({ newest }) => actorOf(newest) },
  {
    id: 'target',
    header: 'Record',
    width: '220px',
    priority: 2,
    onPhone: true,
    cell: ({ newest }) => recordWords(newest),
  },
  {
    id: 'changes',
    header: 'Changed',
    priority: 3,
    onPhone: true,
    cell: (run) => changeWords(run.newest, changesOfRun(run)),
  },
  {
    id: 'ip',
    header: 'From',
    width: '130px',
    priority: 3,
    onPhone: true,
    optional: 'hidden',
    cell: ({ newest: { actor } }) => actor.ip,
  },
  {
    id: 'at',
    header: 'When',
    width: '110px',
    align: 'right',
    priority: 2,
    onPhone: true,
    cell: ({ newest: { at } }) => <RelativeTime at={at} inRow />,
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
  // `each`: the entry alone, and not the run that it is the newest of.
  const [{ entry, each, after, ...query }, setUrl] = useUrlState([...FILTERS, 'entry', 'each', 'after']);
  const list = useList((page) => listAuditEntriesOptions({ query: { ...page, ...query } }), { pollMs: POLL_MS });
  const set = (change: Partial<Record<(typeof FILTERS)[number], string | undefined>>) =>
    setUrl({ ...change, after: undefined });
  const runs = list.rows && runsOf(list.rows);
  const run = runs?.find(({ newest }) => newest.id === entry && each === undefined);
  const alone = list.rows?.find(({ id }) => id === entry);
  const shown = run ?? (alone && { newest: alone, older: [] });
  const hrefOf = (of: Record<string, string>) => withQuery(pb.auditLog(), { ...query, after, ...of });
  const none = Object.fromEntries(FILTERS.map((name) => [name, undefined]));
  const actions =
    query.action === undefined || ACTION_OPTIONS.some(({ value }) => value === query.action) ? [] : [query.action];
  return (
    <>
      <ListPage
        id="audit-log"
        title={TITLE}
        description={DESCRIPTION}
        list={{ ...list, rows: runs }}
        columns={COLUMNS}
        rowKey={({ newest }) => newest.id}
        rowLabel={(row) => `${runWords(row)} ${row.newest.at}`}
        rowHref={({ newest }) => hrefOf({ entry: newest.id })}
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
        onClose={() => setUrl({ entry: undefined, each: undefined })}
        title={shown === undefined ? 'Entry' : runWords(shown)}
        size="xl"
      >
        <AuditRecord
          run={shown}
          isLoading={list.rows === undefined}
          hrefOfEach={(id) => hrefOf({ entry: id, each: '1' })}
        />
      </Dialog>
    </>
  );
}
