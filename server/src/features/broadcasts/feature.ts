import { contactsUnsubscribed } from '#features/contacts';
import { type Audience, bulkSends } from '#features/outbox';
import { type Reaction, reactionTo } from '#platform/announcements.ts';
import type { Route } from '#platform/http/route.ts';
import type { Service } from '#platform/lifecycle.ts';
import { contactAudience } from './recipients/contact-audience.ts';
import { subscriberAudience } from './recipients/subscriber-audience.ts';
import { broadcastContentRoutes } from './content/routes.ts';
import { contactLinkRoutes } from './public/routes.ts';
import { broadcastRoutes } from './routes.ts';
import { reactionsToSends } from './sending/follow-send.ts';
import { broadcastSendingRoutes } from './sending/routes.ts';
import { broadcastServices } from './sending/services.ts';
import type { BroadcastsWiring } from './wiring.ts';

/** Settles the waiting emails of a contact who left. Every process in which one can leave needs it. */
const stopUnsubscribed = reactionTo(contactsUnsubscribed, (tx, left) =>
  bulkSends.stopUnsubscribed(
    tx,
    left.map(({ workspaceId, contactId }) => ({ workspaceId, subscriberId: contactId })),
  ),
);

export interface BroadcastsFeature {
  name: 'broadcasts';
  routes: Route[];
  reactions: Reaction[];
  services: { ofWorker: Service[] };
  /** For the outbox: the contacts of a broadcast, or the subscribers. */
  audiences: Audience[];
}

export const createBroadcastsFeature = (wiring: BroadcastsWiring): BroadcastsFeature => ({
  name: 'broadcasts',
  routes: [
    ...broadcastRoutes(wiring),
    ...broadcastSendingRoutes(wiring),
    ...broadcastContentRoutes,
    ...contactLinkRoutes,
  ],
  reactions: [...reactionsToSends(wiring), stopUnsubscribed],
  services: { ofWorker: broadcastServices(wiring) },
  audiences: [contactAudience(wiring), subscriberAudience(wiring)],
});
