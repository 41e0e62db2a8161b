import { useQuery } from '@tanstack/react-query';
import { ListChecks } from 'lucide-react';
import {
  listAllWebhookDeliveriesOptions,
  listWebhooksOptions,
} from '../../../api/generated/@tanstack/react-query.gen.ts';
import type { Webhook, WebhookDelivery, WebhookDeliveryStatus } from '../../../api/generated/types.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useList } from '../../../api/use-list.ts';
import { withQuery } from '../../../lib/curl.ts';
import { pb } from '../../../lib/paths.ts';
import { useUrlState } from '../../../lib/use-url-state.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import type { Column } from '../../../ui/list/columns.ts';
import { SelectFilter } from '../../../ui/list/filters.tsx';
import { List } from '../../../ui/list/ListPage.tsx';
import { TimeFilter } from '../../../ui/list/TimeFilter.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { EVENT_TYPE_OPTIONS } from '../../../lib/event-types.ts';
import { ReplayMany } from './ReplayMany.tsx';
import { answerOf, DELIVERY_STATE_OPTIONS, DELIVERY_STATES } from '../webhook-state.ts';

const COLUMNS: readonly Column<WebhookDelivery>[] = [
  { id: 'event', header: 'Event', cell: ({ event_type }) => event_type },
  {
    id: 'status',
    header: 'State',
    width: '120px',
    cell: ({ status }) => (
      <StatusBadge tone={DELIVERY_STATES[status].tone}>{DELIVERY_STATES[status].label}</StatusBadge>
    ),
  },
  {
    id: 'answer',
    header: 'Answer',
    width: '180px',
    priority: 2,
    onPhone: true,
    cell: ({ response_status, error }) => answerOf(response_status, error),
  },
  {
    id: 'attempts',
    header: 'Attempts',
    width: '90px',
    align: 'right',
    priority: 3,
    cell: ({ attempt, max_attempts }) => `${attempt} of ${max_attempts}`,
  },
  {
    id: 'created',
    header: 'Created',
    width: '110px',
    align: 'right',
    priority: 2,
    onPhone: true,
    cell: ({ created_at }) => <RelativeTime at={created_at} inRow />,
  },
];

const ENDPOINT: Column<WebhookDelivery> = {
  id: 'url',
  header: 'Endpoint',
  priority: 2,
  onPhone: true,
  cell: ({ url }) => url,
};
const POLL_MS = 4_000;

/** Deliveries of one endpoint, or of all, with filters in the address. */
export function DeliveryList({ webhook }: { webhook?: Webhook }) {
  const [url, setUrl] = useUrlState(['status', 'event_type', 'webhook_id', 'since', 'until', 'after']);
  const { status, event_type, since, until } = url;
  const webhookId = webhook?.id ?? url.webhook_id;
  const query = { status: status as WebhookDeliveryStatus | undefined, event_type, since, until };
  const filters = { ...query, webhook_id: webhookId };
  const whyNot = useWhyNot('webhooks:write');
  const list = useList((page) => listAllWebhookDeliveriesOptions({ query: { ...page, ...filters } }), {
    pollMs: POLL_MS,
  });
  const set = (change: Partial<Record<keyof typeof filters, string | undefined>>) =>
    setUrl({ ...change, after: undefined });
  const isFiltered = [status, event_type, since, until, url.webhook_id].some((value) => value !== undefined);
  return (
    <List
      id={webhook === undefined ? 'deliveries' : 'endpoint-deliveries'}
      title="Deliveries"
      list={list}
      columns={webhook === undefined ? [...COLUMNS.slice(0, 1), ENDPOINT, ...COLUMNS.slice(1)] : COLUMNS}
      rowKey={({ id }) => id}
      rowLabel={({ event_type: type, id }) => `${type} ${id}`}
      rowHref={({ id, webhook_id }) => pb.delivery(webhook_id, id)}
      filters={
        <>
          <SelectFilter
            label="State"
            value={status}
            options={DELIVERY_STATE_OPTIONS}
            onChange={(next) => set({ status: next })}
          />
          <SelectFilter
            label="Event"
            value={event_type}
            options={EVENT_TYPE_OPTIONS}
            onChange={(next) => set({ event_type: next })}
          />
          {webhook === undefined && <EndpointFilter value={webhookId} onChange={(next) => set({ webhook_id: next })} />}
          <TimeFilter since={since} until={until} onChange={set} />
        </>
      }
      onClearFilters={
        isFiltered
          ? () =>
              set({
                status: undefined,
                event_type: undefined,
                since: undefined,
                until: undefined,
                webhook_id: undefined,
              })
          : undefined
      }
      empty={
        <EmptyState icon={<ListChecks size={20} />} title="No delivery in the last 30 days">
          Each event that an endpoint receives is a delivery, with all of its attempts and answers.
        </EmptyState>
      }
      bulk={(rows, clear) => <ReplayMany rows={rows} onDone={clear} disabledReason={whyNot} />}
      call={{ method: 'GET', path: withQuery('/v1/webhook-deliveries', filters) }}
    />
  );
}

function EndpointFilter({
  value,
  onChange,
}: {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  const { data = [] } = useQuery(listWebhooksOptions());
  const options = data.map(({ id, url }) => ({ value: id, label: url }));
  return <SelectFilter label="Endpoint" value={value} options={options} onChange={onChange} />;
}
