import { useQuery } from '@tanstack/react-query';
import { useParams, useRouter } from '@tanstack/react-router';
import { getWebhookDeliveryOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import { replayWebhookDelivery } from '../../../api/generated/sdk.gen.ts';
import type { WebhookDelivery } from '../../../api/generated/types.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { pb } from '../../../lib/paths.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { CurlButton } from '../../../ui/code/CurlButton.tsx';
import { Properties, type Property } from '../../../ui/record/Properties.tsx';
import { RecordPage } from '../../../ui/record/RecordPage.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { toastDone, toastError } from '../../../ui/toasts.tsx';
import { DeliveryAttempts, DeliveryRequest, DeliveryResponse } from './DeliveryParts.tsx';
import { DELIVERY_STATES, isUnderWay } from '../webhook-state.ts';

const POLL_MS = 2_000;

/** One delivery: each attempt, the request and the answer. */
export function DeliveryPage() {
  const { id = '', deliveryId = '' } = useParams({ strict: false });
  const { data, error, refetch } = useQuery({
    ...getWebhookDeliveryOptions({ path: { id, deliveryId } }),
    refetchInterval: ({ state }) => (state.data !== undefined && isUnderWay(state.data) ? POLL_MS : false),
  });
  const state = data && DELIVERY_STATES[data.status];
  return (
    <RecordPage
      title={data?.event_type}
      description={state?.meaning}
      crumbs={[
        { label: 'Webhooks', href: pb.webhooks() },
        { label: data === undefined ? 'Endpoint' : hostOf(data.url), href: `${pb.webhook(id)}?tab=deliveries` },
      ]}
      badge={state && <StatusBadge tone={state.tone}>{state.label}</StatusBadge>}
      actions={
        data && (
          <>
            <CurlButton call={{ method: 'GET', path: `/v1/webhooks/${id}/deliveries/${deliveryId}` }} />
            <Replay delivery={data} />
          </>
        )
      }
      error={error}
      onRetry={() => void refetch()}
    >
      {data && (
        <>
          <Properties items={propertiesOf(data)} />
          <DeliveryAttempts delivery={data} />
          <DeliveryRequest delivery={data} />
          <DeliveryResponse delivery={data} />
        </>
      )}
    </RecordPage>
  );
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

function Replay({ delivery }: { delivery: WebhookDelivery }) {
  const router = useRouter();
  const whyNot = useWhyNot('webhooks:write');
  const write = useWrite({
    call: () =>
      replayWebhookDelivery({ path: { id: delivery.webhook_id, deliveryId: delivery.id }, throwOnError: true }),
    changes: ['listAllWebhookDeliveries', 'getWebhookDelivery'],
    onDone: (made) => {
      toastDone('The event is sent again.');
      if (made.id !== delivery.id) router.history.push(pb.delivery(made.webhook_id, made.id));
    },
    onError: toastError,
  });
  return (
    <ActionButton disabledReason={whyNot} loading={write.isPending} onClick={() => write.mutate(undefined)}>
      Replay
    </ActionButton>
  );
}

function propertiesOf(delivery: WebhookDelivery): Property[] {
  return [
    { label: 'URL', value: delivery.url, copy: delivery.url, mono: true },
    { label: 'Attempts', value: `${delivery.attempt} of ${delivery.max_attempts}` },
    ...(delivery.next_attempt_at === null
      ? []
      : [{ label: 'Next attempt', value: <RelativeTime at={delivery.next_attempt_at} isAhead /> }]),
    { label: 'Created', value: <RelativeTime at={delivery.created_at} /> },
    { label: 'Delivered', value: <RelativeTime at={delivery.delivered_at} none="Not yet" /> },
    { label: 'Event', value: delivery.event_id, copy: delivery.event_id, mono: true },
    { label: 'Id', value: delivery.id, copy: delivery.id, mono: true },
  ];
}
