import { Button, Checkbox, Text } from '@mantine/core';
import { ChevronLeft, ChevronRight, Columns3, SearchX } from 'lucide-react';
import { type ReactNode, useDeferredValue, useState } from 'react';
import type { ApiCall } from '../../lib/curl.ts';
import type { ListState } from '../../lib/list-state.ts';
import { formatCount } from '../../lib/number.ts';
import { CurlButton } from '../code/CurlButton.tsx';
import { EmptyState } from '../EmptyState.tsx';
import { ErrorState } from '../ErrorState.tsx';
import { type Crumb, PageHeader } from '../PageHeader.tsx';
import { type Column, keepShownColumns, readShownColumns } from './columns.ts';
import { DataTable } from './DataTable.tsx';
import { LaterMenu } from '../menu/LaterMenu.tsx';
import classes from './ListPage.module.css';
import { type Selection, useSelection } from './use-selection.ts';

interface ListProps<T> {
  /** Names the list in this browser's store: which columns a person wants to see. */
  id: string;
  title: string;
  list: ListState<T>;
  columns: readonly Column<T>[];
  rowKey: (row: T) => string;
  rowLabel: (row: T) => string;
  rowHref?: (row: T) => string;
  /** `SearchFilter`s and `SelectFilter`s, with their state in the address (`useUrlState`). */
  filters?: ReactNode;
  /** Given when a filter is set: takes all of them away. */
  onClearFilters?: (() => void) | undefined;
  /** How to search, below "Nothing matches these filters". */
  noMatchHint?: string | undefined;
  /** Shown when there is nothing at all. */
  empty: ReactNode;
  /** The actions on the chosen rows; without it rows cannot be chosen. */
  bulk?: (rows: readonly T[], clear: () => void) => ReactNode;
  /** The request behind this page, shown as a curl command. */
  call: ApiCall;
}

export interface ListPageProps<T> extends ListProps<T> {
  /** The title of the page, where it is the name of a record: `title` names the list. */
  heading?: string | undefined;
  description?: ReactNode;
  crumbs?: readonly Crumb[];
  badge?: ReactNode;
  actions?: ReactNode;
  /** Content between the head and the filters: a notice, tabs. */
  children?: ReactNode;
}

/** A list of records: filters, rows to open and to choose, pages, and what to show when there is nothing. */
export function ListPage<T>(props: ListPageProps<T>) {
  const { heading, description, crumbs = [], badge, actions, children, ...list } = props;
  return (
    <>
      <PageHeader
        title={heading ?? list.title}
        description={description}
        crumbs={crumbs}
        badge={badge}
        actions={actions}
      />
      {children}
      <List {...list} />
    </>
  );
}

/** The same list inside of another page, such as a tab of a record. `tools` are its buttons, behind the filters. */
export function List<T>(props: ListProps<T> & { tools?: ReactNode }) {
  const { list, columns, rowKey } = props;
  const [shown, setShown] = useState(() => readShownColumns(props.id, columns));
  // Fifty rows are drawn in short turns, and not in the one in which their answer arrives.
  const drawn = useDeferredValue(list.rows);
  const rows = drawn ?? [];
  const selection = useSelection(rows.map(rowKey));
  const visible = columns.filter(({ id, optional }) => optional === undefined || shown.has(id));
  const showColumns = (next: ReadonlySet<string>) => {
    keepShownColumns(props.id, next);
    setShown(next);
  };
  const goesOn = list.onNext !== undefined;
  const isEmpty = list.rows?.length === 0 && list.onFirst === undefined && !goesOn;
  const hasNothing = isEmpty && props.onClearFilters === undefined && !list.isStale;
  return (
    <>
      {!hasNothing && (
        <div className={classes['bar']} role="search" aria-label={`Filter ${props.title.toLowerCase()}`}>
          {props.filters}
          {props.onClearFilters !== undefined && (
            <Button variant="subtle" size="xs" onClick={props.onClearFilters}>
              Clear filters
            </Button>
          )}
          <div className={classes['end']}>
            <ColumnMenu columns={columns} shown={shown} onChange={showColumns} />
            <CurlButton call={props.call} />
            {props.tools}
          </div>
        </div>
      )}
      {list.error !== null && list.rows === undefined ? (
        <ErrorState error={list.error} onRetry={list.refetch} />
      ) : (
        <>
          {list.error !== null && <ErrorState error={list.error} onRetry={list.refetch} />}
          {hasNothing ? (
            props.empty
          ) : (
            <DataTable
              label={props.title}
              rows={drawn}
              columns={visible}
              rowKey={rowKey}
              rowHref={props.rowHref}
              rowLabel={props.rowLabel}
              selection={props.bulk === undefined ? undefined : selection}
              isStale={list.isStale}
            />
          )}
          {isEmpty && !hasNothing && <NothingMatches onClear={props.onClearFilters} hint={props.noMatchHint} />}
          {list.rows?.length === 0 && goesOn && <LookFurther onNext={list.onNext} />}
          {!isEmpty && <Pages list={list} isDrawn={drawn !== undefined} />}
        </>
      )}
      <BulkBar {...props} selection={selection} rows={rows} />
    </>
  );
}

function NothingMatches({ onClear, hint }: { onClear: (() => void) | undefined; hint: string | undefined }) {
  return (
    <EmptyState
      icon={<SearchX size={20} />}
      title="Nothing matches these filters"
      action={
        onClear !== undefined && (
          <Button variant="default" onClick={onClear}>
            Clear filters
          </Button>
        )
      }
    >
      {hint}
    </EmptyState>
  );
}

/** Where a filter has no index, the API looks through so many records for a page, and says that there are others. */
function LookFurther({ onNext }: { onNext: (() => void) | undefined }) {
  return (
    <EmptyState
      icon={<SearchX size={20} />}
      title="None of the newest records match"
      action={
        <Button variant="default" onClick={onNext}>
          Look further back
        </Button>
      }
    >
      50,000 records were looked at. There are older ones.
    </EmptyState>
  );
}

/** The API counts up to 10,000 rows, and then says one more. A larger number is an estimate of a whole list. */
const COUNTED_MAX = 10_000;

function totalWords(total: number, isEstimate: boolean): string {
  if (!isEstimate) return `${formatCount(total)} in all`;
  const words = total === COUNTED_MAX + 1 ? `more than ${formatCount(COUNTED_MAX)}` : `about ${formatCount(total)}`;
  return `${words} in all`;
}

/**
 * Below rows that are still to come it has no place, because they would push it away. It is there all the same: a
 * screen reader says a change of the count, and not one that arrives with its line.
 */
function Pages<T>({ list, isDrawn }: { list: ListState<T>; isDrawn: boolean }) {
  const { total, isEstimate } = list;
  const count = total === undefined || !isDrawn ? '' : totalWords(total, isEstimate);
  return (
    <nav className={classes[isDrawn ? 'pages' : 'placeless']} aria-label="Pages">
      <Text size="xs" c="dimmed" role="status">
        {count}
      </Text>
      {isDrawn && <Steps {...list} />}
    </nav>
  );
}

function Steps({ onFirst, onPrevious, onNext }: Pick<ListState<unknown>, 'onFirst' | 'onPrevious' | 'onNext'>) {
  return (
    <div className={classes['steps']}>
      {onFirst !== undefined && onPrevious === undefined && (
        <Button variant="default" size="xs" onClick={onFirst}>
          First page
        </Button>
      )}
      {(onPrevious !== undefined || onNext !== undefined) && (
        <>
          <Button
            variant="default"
            size="xs"
            leftSection={<ChevronLeft size={14} />}
            disabled={onPrevious === undefined}
            onClick={onPrevious}
          >
            Previous
          </Button>
          <Button
            variant="default"
            size="xs"
            rightSection={<ChevronRight size={14} />}
            disabled={onNext === undefined}
            onClick={onNext}
          >
            Next
          </Button>
        </>
      )}
    </div>
  );
}

interface ColumnMenuProps<T> {
  columns: readonly Column<T>[];
  shown: ReadonlySet<string>;
  onChange: (shown: ReadonlySet<string>) => void;
}

function ColumnMenu<T>({ columns, shown, onChange }: ColumnMenuProps<T>) {
  const optional = columns.filter((column) => column.optional !== undefined);
  if (optional.length === 0) return null;
  const toggle = (id: string) => {
    const next = new Set(shown);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  return (
    <LaterMenu
      position="bottom-end"
      closeOnItemClick={false}
      target={
        <Button variant="subtle" size="xs" leftSection={<Columns3 size={14} />}>
          Columns
        </Button>
      }
    >
      {(Menu) => (
        <>
          {optional.map(({ id, header }) => (
            <Menu.Item
              key={id}
              role="menuitemcheckbox"
              aria-checked={shown.has(id)}
              leftSection={<Checkbox.Indicator size="xs" checked={shown.has(id)} />}
              onClick={() => toggle(id)}
            >
              {header}
            </Menu.Item>
          ))}
        </>
      )}
    </LaterMenu>
  );
}

function BulkBar<T>({ bulk, rows, rowKey, selection }: ListProps<T> & { rows: readonly T[]; selection: Selection }) {
  if (bulk === undefined || selection.ids.size === 0) return null;
  const chosen = rows.filter((row) => selection.ids.has(rowKey(row)));
  return (
    <div className={classes['bulk']} role="toolbar" aria-label="Selected rows">
      <span className={classes['chosen']}>{selection.ids.size} selected</span>
      {bulk(chosen, selection.clear)}
      <Button variant="subtle" size="xs" onClick={selection.clear}>
        Clear
      </Button>
    </div>
  );
}
