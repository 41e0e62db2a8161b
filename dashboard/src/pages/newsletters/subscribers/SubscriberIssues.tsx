import { Mail } from 'lucide-react';
import { listSubscriberIssuesOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import type { ReceivedIssue, Subscriber } from '../../../api/generated/types.gen.ts';
import { useList } from '../../../api/use-list.ts';
import { shownSubject } from '../../../lib/blocks/shown-subject.ts';
import { pb } from '../../../lib/paths.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import type { Column } from '../../../ui/list/columns.ts';
import { List } from '../../../ui/list/ListPage.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { StatusBadge, type Tone } from '../../../ui/StatusBadge.tsx';
import { ownEntry } from '../../../lib/own-entry.ts';
import { ENGAGEMENT_COLUMNS } from '../../../ui/results/engagement-columns.ts';

const TONES: Readonly<Record<string, Tone>> = {
  delivered: 'ok',
  opened: 'ok',
  clicked: 'ok',
  sent: 'info',
  bounced: 'bad',
  complained: 'bad',
  failed: 'bad',
};

const sentenceCase = (word: string): string => `${word[0]?.toUpperCase() ?? ''}${word.slice(1).replaceAll('_', ' ')}`;

const COLUMNS: readonly Column<ReceivedIssue>[] = [
  { id: 'subject', header: 'Subject', cell: ({ subject }) => shownSubject(subject) },
  {
    id: 'status',
    header: 'Status',
    width: '140px',
    cell: ({ status }) => <StatusBadge tone={ownEntry(TONES, status) ?? 'quiet'}>{sentenceCase(status)}</StatusBadge>,
  },
  ...ENGAGEMENT_COLUMNS,
  {
    id: 'sent',
    header: 'Sent',
    width: '110px',
    align: 'right',
    priority: 2,
    onPhone: true,
    cell: ({ sent_at }) => <RelativeTime at={sent_at} none="Not yet" inRow />,
  },
];

/** Every issue that was sent to the person; a row opens its email. */
export function SubscriberIssues({ person: { newsletter_id: id, id: subscriberId } }: { person: Subscriber }) {
  const list = useList((page) => listSubscriberIssuesOptions({ path: { id, subscriberId }, query: page }));
  return (
    <List
      id="subscriber-issues"
      title="Issues received"
      list={list}
      columns={COLUMNS}
      rowKey={({ email_id }) => email_id}
      rowLabel={({ subject }) => shownSubject(subject)}
      rowHref={({ email_id }) => pb.email(email_id)}
      empty={
        <EmptyState icon={<Mail size={20} />} title="No issue was sent to this person">
          Each issue that is sent to them stands here with its outcome.
        </EmptyState>
      }
      call={{ method: 'GET', path: `/v1/newsletters/${id}/subscribers/${subscriberId}/issues` }}
    />
  );
}
