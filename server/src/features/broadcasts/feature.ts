import type { Audience } from '#features/outbox';
import type { Reaction } from '#platform/announcements.ts';
import type { Route } from '#platform/http/route.ts';
import type { Service } from '#platform/lifecycle.ts';
import { contactAudience } from './audience/contact-audience.ts';
import { broadcastRoutes } from './routes.ts';
import { reactionsToSends } from './sending/follow-send.ts';
import { broadcastServices } from './sending/services.ts';
import type { BroadcastsWiring } from './wiring.ts';

export interface BroadcastsFeature {
  name: 'broadcasts';
  routes: Route[];
  reactions: Reaction[];
  services: { ofWorker: Service[] };
  /** For the outbox: the contacts of a broadcast. */
  audience: Audience;
}

export const createBroadcastsFeature = (wiring: BroadcastsWiring): BroadcastsFeature => ({
  name: 'broadcasts',
  routes: broadcastRoutes(wiring),
  reactions: reactionsToSends(wiring),
  services: { ofWorker: broadcastServices(wiring) },
  audience: contactAudience(wiring),
});
