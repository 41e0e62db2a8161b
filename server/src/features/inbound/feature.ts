import { mailReceived } from '#features/feedback';
import { type Reaction, reactionTo } from '#platform/announcements.ts';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import { createResolveRecords } from '#platform/dns/resolve-records.ts';
import { readServerAddress } from '#platform/dns/server-address.ts';
import type { BodyBudget } from '#platform/http/body/body-budget.ts';
import type { Route } from '#platform/http/route.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import type { FindDestination } from '#platform/smtp/mail-destination.ts';
import { inboundDestination } from './arriving/inbound-destination.ts';
import { noteArrivals } from './from-ses/note-arrivals.ts';
import { createReadService } from './reading/read-service.ts';
import { recordRoutes } from './records/routes.ts';
import { replyRoutes } from './replying/routes.ts';
import { purgeInboundService } from './retention.ts';

export interface InboundWiring {
  db: Db;
  /** For the services of a worker. */
  workerDb: Db;
  clock: Clock;
  log: Log;
  settings: Settings;
  secrets: Secrets;
  bodyBudget: BodyBudget;
}

export interface InboundFeature {
  name: 'inbound';
  routes: Route[];
  reactions: Reaction[];
  services: { ofWorker: Service[] };
  /** Where mail for receiving domains arrives. */
  mailDestination: FindDestination;
}

export function createInboundFeature(wiring: InboundWiring): InboundFeature {
  const { settings, clock, workerDb } = wiring;
  const servers = settings.dnsServers.flatMap((entry) => readServerAddress(entry) ?? []);
  const ofWorker = { ...wiring, db: workerDb, resolve: createResolveRecords({ servers, clock }) };
  return {
    name: 'inbound',
    routes: [...recordRoutes(), ...replyRoutes()],
    reactions: [reactionTo(mailReceived, noteArrivals)],
    services: { ofWorker: [createReadService(ofWorker), purgeInboundService(ofWorker)] },
    mailDestination: inboundDestination(wiring),
  };
}
