import { Checkbox, Skeleton } from '@mantine/core';
import { useRef } from 'react';
import { useKeys } from '../../lib/shortcuts.ts';
import type { Column } from './columns.ts';
import classes from './DataTable.module.css';
import { useIsNarrow } from './use-is-narrow.ts';
import type { Selection } from './use-selection.ts';

const SKELETON_ROWS = 8;

export interface DataTableProps<T> {
  /** For a screen reader, which announces it with the number of rows. */
  label: string;
  rows: readonly T[] | undefined;
  columns: readonly Column<T>[];
  rowKey: (row: T) => string;
  /** The page of a row's record. The first column becomes its link, and the whole row can be clicked. */
  rowHref?: ((row: T) => string) | undefined;
  /** Names a row for its checkbox: an address, a subject. */
  rowLabel: (row: T) => string;
  selection?: Selection | undefined;
  isStale?: boolean;
}

/**
 * A table of records. `j` and `k` move between the rows, Enter opens one, `x` chooses it. A narrow one draws no column
 * that has no place, and says what matters of them in a line below the first cell: nothing is there twice.
 */
export function DataTable<T>({ columns: all, ...rest }: DataTableProps<T>) {
  const { label, rows, selection, isStale = false } = rest;
  const frame = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const isNarrow = useIsNarrow(frame);
  const columns = isNarrow ? all.filter(({ priority = 1 }) => priority === 1) : all;
  const below = isNarrow ? all.filter(({ priority = 1, onPhone }) => priority > 1 && onPhone !== undefined) : [];
  const props = { ...rest, columns, below };
  useRowKeys(body, selection);
  const ids = rows?.map(props.rowKey) ?? [];
  const chosen = selection?.ids.size ?? 0;
  return (
    <div ref={frame} className={classes['frame']} data-stale={isStale || undefined}>
      <table className={classes['table']} aria-label={label} aria-busy={rows === undefined || isStale}>
        <thead>
          <tr>
            {selection !== undefined && (
              <th className={classes['check']}>
                <Checkbox
                  size="xs"
                  aria-label="Select all rows of this page"
                  checked={chosen > 0 && chosen === ids.length}
                  indeterminate={chosen > 0 && chosen < ids.length}
                  onChange={(event) => selection.setAll(event.currentTarget.checked)}
                />
              </th>
            )}
            {columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                data-align={column.align}
                data-priority={column.priority}
                style={column.width === undefined ? undefined : { width: column.width }}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows === undefined
            ? Array.from({ length: SKELETON_ROWS }, (_, index) => <SkeletonRow key={index} {...props} index={index} />)
            : rows.map((row) => <Row key={props.rowKey(row)} row={row} {...props} />)}
        </tbody>
      </table>
    </div>
  );
}

interface RowsProps<T> extends DataTableProps<T> {
  /** The columns of the line below the first cell. */
  below: readonly Column<T>[];
}

function Row<T>({ row, columns, below, rowKey, rowHref, rowLabel, selection }: RowsProps<T> & { row: T }) {
  const id = rowKey(row);
  return (
    <tr
      data-row={id}
      data-link={rowHref === undefined ? undefined : true}
      data-chosen={selection?.ids.has(id) || undefined}
    >
      {selection !== undefined && (
        <td className={classes['check']}>
          <Checkbox
            size="xs"
            aria-label={`Select ${rowLabel(row)}`}
            checked={selection.ids.has(id)}
            onChange={() => undefined}
            onClick={(event) => selection.toggle(id, { range: event.shiftKey })}
          />
        </td>
      )}
      {columns.map((column, index) => (
        <td
          key={column.id}
          data-align={column.align}
          data-priority={column.priority}
          data-first={index === 0 || undefined}
          data-whole={column.isWhole}
        >
          {index === 0 && rowHref !== undefined ? (
            <a href={rowHref(row)} className={classes['link']} data-row-link>
              {column.cell(row)}
            </a>
          ) : (
            column.cell(row)
          )}
          {index === 0 && below.length > 0 && (
            <div className={classes['below']}>
              {below.map(({ id: part, onPhone, cell }) => (
                <span key={part}>{typeof onPhone === 'function' ? onPhone(row) : cell(row)}</span>
              ))}
            </div>
          )}
        </td>
      ))}
    </tr>
  );
}

function SkeletonRow<T>({ columns, below, selection, index }: RowsProps<T> & { index: number }) {
  return (
    <tr>
      {selection !== undefined && <td className={classes['check']} aria-hidden="true" />}
      {columns.map((column, at) => (
        <td
          key={column.id}
          data-align={column.align}
          data-priority={column.priority}
          data-first={at === 0 || undefined}
        >
          <Skeleton height={10} width={at === 0 ? `${38 + ((index * 17) % 30)}%` : '60%'} radius="xl" />
          {at === 0 && below.length > 0 && (
            <div className={classes['below']}>
              <div style={{ width: '45%' }}>
                <Skeleton height={8} radius="xl" />
              </div>
            </div>
          )}
        </td>
      ))}
    </tr>
  );
}

function useRowKeys(body: React.RefObject<HTMLTableSectionElement | null>, selection: Selection | undefined): void {
  const links = () => [...(body.current?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [])];
  const move = (step: number) => {
    const all = links();
    const at = all.findIndex((link) => link === document.activeElement);
    const next = all[at === -1 ? (step > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + step, 0), all.length - 1)];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    x: () => {
      const id = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row'];
      if (id !== undefined) selection?.toggle(id);
    },
    Escape: () => selection?.clear(),
  });
}
