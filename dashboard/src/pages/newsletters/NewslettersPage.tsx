import { Newspaper } from 'lucide-react';
import { listNewslettersOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { NewsletterSummary } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useList } from '../../api/use-list.ts';
import { formatCount } from '../../lib/number.ts';
import { pb } from '../../lib/paths.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { ListPage } from '../../ui/list/ListPage.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';

const COLUMNS: readonly Column<NewsletterSummary>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name },
  { id: 'from', header: 'Sender', priority: 2, onPhone: true, cell: ({ from_email }) => from_email ?? 'No sender yet' },
  {
    id: 'subscribers',
    header: 'Active subscribers',
    width: '150px',
    align: 'right',
    cell: ({ subscriber_count }) => formatCount(subscriber_count),
  },
  {
    id: 'issues',
    header: 'Issues',
    width: '90px',
    align: 'right',
    priority: 3,
    cell: ({ issue_count }) => formatCount(issue_count),
  },
  {
    id: 'sent',
    header: 'Last issue',
    width: '120px',
    align: 'right',
    priority: 2,
    onPhone: ({ last_issue_sent_at: at }) =>
      at === null ? (
        'No issue yet'
      ) : (
        <>
          Issue <RelativeTime at={at} inRow />
        </>
      ),
    cell: ({ last_issue_sent_at }) => <RelativeTime at={last_issue_sent_at} inRow />,
  },
];

/** Every newsletter of the workspace. */
export function NewslettersPage() {
  const whyNot = useWhyNot('newsletters:write');
  const list = useList((page) => listNewslettersOptions({ query: page }));
  return (
    <ListPage
      id="newsletters"
      title="Newsletters"
      description="Each has its own list, sign-up page and archive."
      actions={
        <>
          <ActionButton variant="default" href={pb.imports()}>
            Imports
          </ActionButton>
          <ActionButton href={pb.newsletterNew()} disabledReason={whyNot}>
            New newsletter
          </ActionButton>
        </>
      }
      list={list}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rowLabel={({ name }) => name}
      rowHref={({ id }) => pb.newsletter(id)}
      empty={
        <EmptyState
          icon={<Newspaper size={20} />}
          title="No newsletter yet"
          action={
            <ActionButton href={pb.newsletterNew()} disabledReason={whyNot}>
              New newsletter
            </ActionButton>
          }
        >
          A newsletter is a list of people and the issues that you send to them. It comes with a sign-up page, a form
          for your own site, and an archive.
        </EmptyState>
      }
      call={{ method: 'GET', path: '/v1/newsletters' }}
    />
  );
}
