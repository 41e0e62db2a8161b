import { counted, formatCount } from '../../lib/number.ts';
import type { Column } from '../list/columns.ts';

interface Engaged {
  open_count: number;
  click_count: number;
}

const column = (id: string, header: string, one: string, pick: (row: Engaged) => number): Column<Engaged> => ({
  id,
  header,
  width: '80px',
  align: 'right',
  priority: 2,
  onPhone: (row) => pick(row) > 0 && counted(pick(row), one),
  cell: (row) => formatCount(pick(row)),
});

/** How often somebody opened an email and clicked in it. */
export const ENGAGEMENT_COLUMNS: readonly Column<Engaged>[] = [
  column('opens', 'Opens', 'open', ({ open_count }) => open_count),
  column('clicks', 'Clicks', 'click', ({ click_count }) => click_count),
];
