import type { ReactNode } from 'react';

export interface Column<T> {
  id: string;
  header: string;
  cell: (row: T) => ReactNode;
  /** CSS width; the first column takes what is left. */
  width?: string;
  align?: 'right';
  /** A sentence: it takes as many lines as it needs. */
  isWhole?: true;
  /** 1 is shown always, 2 from 640 px of the table's own width, 3 from 900 px. 1 when left out. */
  priority?: 1 | 2 | 3;
  /**
   * Where the table has less than 640 px, a column of priority 2 or 3 has a place in the line below the first cell:
   * with its cell, or with words that can be read without a header, such as "3 opens". Null says nothing.
   */
  onPhone?: true | ((row: T) => ReactNode);
  /** May be shown or hidden by the person; `hidden` until they ask for it. */
  optional?: 'shown' | 'hidden';
}

const keyFor = (list: string): string => `posthorn.columns.${list}`;

/** The optional columns that a person wants to see, kept in this browser. */
export function readShownColumns<T>(list: string, columns: readonly Column<T>[]): ReadonlySet<string> {
  const usual = columns.filter(({ optional }) => optional === 'shown').map(({ id }) => id);
  try {
    const kept = localStorage.getItem(keyFor(list));
    return new Set(kept === null ? usual : kept.split(',').filter((id) => columns.some((column) => column.id === id)));
  } catch {
    return new Set(usual);
  }
}

export function keepShownColumns(list: string, shown: ReadonlySet<string>): void {
  try {
    localStorage.setItem(keyFor(list), [...shown].join(','));
  } catch {
    // The choice then lasts as long as the page.
  }
}
