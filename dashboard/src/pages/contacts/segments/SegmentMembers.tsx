import { Users } from 'lucide-react';
import { listSegmentContactsOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import type { Segment } from '../../../api/generated/types.gen.ts';
import { useList } from '../../../api/use-list.ts';
import { pb } from '../../../lib/paths.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { List } from '../../../ui/list/ListPage.tsx';
import { CONTACT_COLUMNS } from '../contact-columns.tsx';
import { ContactBulk } from '../ContactBulk.tsx';

/** The contacts who are in a segment now. */
export function SegmentMembers({ segment: { id, name } }: { segment: Segment }) {
  const list = useList((page) => listSegmentContactsOptions({ path: { id }, query: page }));
  return (
    <List
      id="segment-contacts"
      title={`Contacts in ${name}`}
      list={list}
      columns={CONTACT_COLUMNS}
      rowKey={(row) => row.id}
      rowLabel={({ email }) => email}
      rowHref={(row) => pb.contact(row.id)}
      empty={
        <EmptyState
          icon={<Users size={20} />}
          title="Nobody meets the conditions now"
          action={
            <ActionButton variant="default" href={pb.segmentTab(id, 'conditions')}>
              Look at the conditions
            </ActionButton>
          }
        >
          Contacts are here as soon as they meet them. Explain shows for one contact which condition does not hold.
        </EmptyState>
      }
      bulk={(rows, clear) => <ContactBulk rows={rows} onDone={clear} />}
      call={{ method: 'GET', path: `/v1/segments/${id}/contacts` }}
    />
  );
}
