import type { ReactNode } from 'react';
import { counted, formatCount, formatPercent } from '../../lib/number.ts';
import { breakable } from '../breakable.tsx';
import type { Column } from '../list/columns.ts';
import { DataTable } from '../list/DataTable.tsx';
import classes from './results.module.css';

export interface LinkRow {
  number: number;
  url: string;
  people: number;
  clicks: number;
  /** Left out where clicks of machines are not told apart by link. */
  machines?: number;
  /** Where it leads since it was redirected. */
  leadsTo?: string | null;
}

const shareOf = (clicks: number, all: number): string => (all === 0 ? '—' : formatPercent(clicks / all));

/** A long address breaks between its parts, and only then within a word. */
const addressOf = (url: string): ReactNode => breakable(url.replace(/^https?:\/\//, ''), /(?<=[/?&])/);

const columnsOf = (all: number): readonly Column<LinkRow>[] => [
  {
    id: 'url',
    header: 'Link',
    cell: ({ number, url, leadsTo }) => (
      <span className={classes['link']}>
        <span className={classes['number']}>{number}</span>
        <span className={classes['url']} title={url}>
          {addressOf(url)}
          {leadsTo != null && <> → {addressOf(leadsTo)}</>}
        </span>
      </span>
    ),
  },
  { id: 'clicked', header: 'People', width: '80px', align: 'right', cell: ({ people }) => formatCount(people) },
  {
    id: 'clicks',
    header: 'Clicks',
    width: '90px',
    align: 'right',
    priority: 2,
    onPhone: ({ clicks }) => counted(clicks, 'click'),
    cell: ({ clicks }) => formatCount(clicks),
  },
  {
    id: 'share',
    header: 'Share',
    width: '90px',
    align: 'right',
    priority: 2,
    onPhone: ({ clicks }) => clicks > 0 && `${shareOf(clicks, all)} of all`,
    cell: ({ clicks }) => shareOf(clicks, all),
  },
];

const MACHINES: Column<LinkRow> = {
  id: 'machines',
  header: 'By machines',
  width: '120px',
  align: 'right',
  priority: 2,
  onPhone: ({ machines = 0 }) => machines > 0 && `${formatCount(machines)} by machines`,
  cell: ({ machines = 0 }) => formatCount(machines),
};

interface Props {
  links: readonly LinkRow[];
  /** Clicks beside those of the rows. */
  others?: number;
  /** The button of each row. */
  action?: (link: LinkRow) => ReactNode;
}

/** The links of an issue or a broadcast with the people who followed them. */
export function LinkTable({ links, others = 0, action }: Props) {
  const all = links.reduce((sum, { clicks }) => sum + clicks, others);
  const hasMachines = links.some(({ machines }) => machines !== undefined);
  return (
    <DataTable
      label="Links"
      rows={links}
      columns={[
        ...columnsOf(all),
        ...(hasMachines ? [MACHINES] : []),
        ...(action === undefined
          ? []
          : [{ id: 'action', header: '', width: '110px', align: 'right' as const, cell: action }]),
      ]}
      rowKey={({ number }) => String(number)}
      rowLabel={({ url }) => url}
    />
  );
}
