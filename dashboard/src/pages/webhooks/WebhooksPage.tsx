import { useQuery } from '@tanstack/react-query';
import { Bell } from 'lucide-react';
import { listWebhooksOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { Webhook } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { pb } from '../../lib/paths.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { ListPage } from '../../ui/list/ListPage.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { ViewLinks } from '../../ui/ViewLinks.tsx';
import { describeEvents } from '../../lib/event-types.ts';
import { healthOf } from './webhook-state.ts';

const COLUMNS: readonly Column<Webhook>[] = [
  { id: 'url', header: 'Endpoint', cell: ({ url }) => url },
  {
    id: 'description',
    header: 'Description',
    priority: 3,
    onPhone: true,
    optional: 'shown',
    cell: ({ description }) => description,
  },
  {
    id: 'health',
    header: 'Health',
    width: '170px',
    cell: (webhook) => {
      const { tone, label } = healthOf(webhook);
      return <StatusBadge tone={tone}>{label}</StatusBadge>;
    },
  },
  {
    id: 'events',
    header: 'Events',
    width: '150px',
    priority: 3,
    onPhone: true,
    cell: ({ events }) => describeEvents(events),
  },
  {
    id: 'success',
    header: 'Last success',
    width: '120px',
    align: 'right',
    priority: 2,
    onPhone: ({ last_success_at: at }) =>
      at === null ? (
        'No success yet'
      ) : (
        <>
          Success <RelativeTime at={at} inRow />
        </>
      ),
    cell: ({ last_success_at }) => <RelativeTime at={last_success_at} inRow />,
  },
  {
    id: 'created',
    header: 'Created',
    width: '110px',
    align: 'right',
    priority: 3,
    optional: 'hidden',
    cell: ({ created_at }) => <RelativeTime at={created_at} inRow />,
  },
];

const POLL_MS = 10_000;

/** Two views of webhooks: the endpoints, and the deliveries to all of them. */
export const WEBHOOK_VIEWS = [
  { label: 'Endpoints', href: pb.webhooks() },
  { label: 'Deliveries', href: pb.deliveries() },
] as const;

/** The endpoints that receive the events of the workspace. */
export function WebhooksPage() {
  const whyNot = useWhyNot('webhooks:write');
  const { data, error, refetch } = useQuery({ ...listWebhooksOptions(), refetchInterval: POLL_MS });
  const add = (
    <ActionButton href={pb.webhookNew()} disabledReason={whyNot}>
      Add endpoint
    </ActionButton>
  );
  return (
    <ListPage
      id="webhooks"
      title="Webhooks"
      description="Posthorn posts what happens to your mail to these addresses, signed, and retries for about 28 hours."
      actions={add}
      list={{
        rows: data,
        error,
        isStale: false,
        total: undefined,
        isEstimate: false,
        onNext: undefined,
        onPrevious: undefined,
        onFirst: undefined,
        refetch: () => void refetch(),
      }}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rowLabel={({ url }) => url}
      rowHref={({ id }) => pb.webhook(id)}
      empty={
        <EmptyState icon={<Bell size={20} />} title="No endpoint yet" action={add}>
          Your program learns of bounces, complaints and sign-ups within seconds when Posthorn posts them to it. Without
          an endpoint it has to ask.
        </EmptyState>
      }
      call={{ method: 'GET', path: '/v1/webhooks' }}
    >
      <ViewLinks label="Webhooks" views={WEBHOOK_VIEWS} current={pb.webhooks()} />
    </ListPage>
  );
}
