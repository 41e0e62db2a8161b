import type { Contact } from '../../api/generated/types.gen.ts';
import { counted } from '../../lib/number.ts';
import { breakableAddress } from '../../ui/breakable.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { ContactStateBadge } from './ContactStateBadge.tsx';

/** The columns of a list of contacts, wherever it stands. */
export const CONTACT_COLUMNS: readonly Column<Contact>[] = [
  { id: 'email', header: 'Address', cell: ({ email }) => breakableAddress(email) },
  {
    id: 'state',
    header: 'State',
    width: '130px',
    priority: 2,
    onPhone: true,
    cell: (row) => <ContactStateBadge contact={row} />,
  },
  {
    id: 'name',
    header: 'Name',
    priority: 2,
    onPhone: true,
    optional: 'shown',
    width: '150px',
    cell: ({ name }) => name,
  },
  {
    id: 'properties',
    header: 'Properties',
    priority: 3,
    onPhone: true,
    optional: 'shown',
    width: '200px',
    cell: ({ properties }) => summaryOf(properties),
  },
  {
    id: 'lists',
    header: 'Lists',
    width: '70px',
    align: 'right',
    priority: 3,
    onPhone: ({ list_ids }) => counted(list_ids.length, 'list'),
    optional: 'hidden',
    cell: ({ list_ids }) => list_ids.length,
  },
  {
    id: 'changed',
    header: 'Changed',
    width: '110px',
    align: 'right',
    priority: 3,
    optional: 'hidden',
    cell: ({ updated_at }) => <RelativeTime at={updated_at} inRow />,
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

const summaryOf = (properties: Contact['properties']): string =>
  Object.entries(properties)
    .map(([key, value]) => `${key}: ${value}`)
    .join(', ');
