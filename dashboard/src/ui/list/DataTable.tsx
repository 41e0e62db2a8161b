import { Checkbox, Skeleton } from '@mantine/core';
import { useRef } from 'react';
import { useKeys } from '../../lib/shortcuts.ts';
import type { Column } from './columns.ts';
import classes from './DataTable.module.css';
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

/** A table of records. `j` and `k` move between the rows, Enter opens one, `x` chooses it. */
export function DataTable<T>(props: DataTableProps<T>) {
  const { label, rows, columns, selection, isStale = false } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body, selection);
  const ids = rows?.map(props.rowKey) ?? [];
  const chosen = selection?.ids.size ?? 0;
  return (
    <div className={classes['frame']} data-stale={isStale || undefined}>
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

function Row<T>({ row, columns, rowKey, rowHref, rowLabel, selection }: DataTableProps<T> & { row: T }) {
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
        </td>
      ))}
    </tr>
  );
}

function SkeletonRow<T>({ columns, selection, index }: DataTableProps<T> & { index: number }) {
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
