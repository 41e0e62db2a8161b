import type { Route } from '#platform/http/route.ts';
import type { Service } from '#platform/lifecycle.ts';
import { deliveryServices } from './deliveries/delivery-services.ts';
import { deliveryRoutes } from './deliveries/routes.ts';
import { stopDeliveries } from './deliveries/worker/stop-deliveries.ts';
import { eventRoutes } from './events/routes.ts';
import { webhookRoutes } from './routes.ts';
import type { WebhooksWiring } from './wiring.ts';

export interface WebhooksFeature {
  name: 'webhooks';
  routes: Route[];
  services: { ofWorker: Service[]; ofApi: Service[] };
}

export function createWebhooksFeature(wiring: WebhooksWiring): WebhooksFeature {
  const { safeFetch, missingDomains, missingNewsletters, emailEvents } = wiring;
  const ports = { safeFetch, missingDomains, missingNewsletters, stopDeliveries };
  return {
    name: 'webhooks',
    routes: [...webhookRoutes(ports), ...deliveryRoutes(emailEvents), ...eventRoutes(emailEvents)],
    services: { ofWorker: deliveryServices(wiring), ofApi: [] },
  };
}
