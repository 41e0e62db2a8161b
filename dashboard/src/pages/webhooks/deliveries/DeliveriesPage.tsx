import { pb } from '../../../lib/paths.ts';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { ViewLinks } from '../../../ui/ViewLinks.tsx';
import { DeliveryList } from './DeliveryList.tsx';
import { WEBHOOK_VIEWS } from '../WebhooksPage.tsx';

/** Deliveries to every endpoint. */
export function DeliveriesPage() {
  return (
    <>
      <PageHeader
        title="Webhook deliveries"
        description="Every event that was sent to an endpoint in the last 30 days, with its attempts."
      />
      <ViewLinks label="Webhooks" views={WEBHOOK_VIEWS} current={pb.deliveries()} />
      <DeliveryList />
    </>
  );
}
