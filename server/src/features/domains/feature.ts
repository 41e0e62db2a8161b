import type { SendSystemMail } from '#features/workspaces';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import { createLookUp } from '#platform/dns/lookup.ts';
import { createNameServers } from '#platform/dns/name-servers.ts';
import { readServerAddress } from '#platform/dns/server-address.ts';
import type { Route } from '#platform/http/route.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { createAddressRules } from '#platform/safe-fetch/address-rules.ts';
import type { SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import type { CheckPorts } from './checks/check-domain.ts';
import { createCheckService } from './checks/check-service.ts';
import { createExpiryService } from './bimi/expiry-service.ts';
import { bimiRoutes } from './bimi/routes.ts';
import type { MarkPorts } from './bimi/verify-mark.ts';
import { checkRoutes } from './checks/routes.ts';
import { createIdentityService } from './identities/identity-service.ts';
import type { SendingIdentities } from './identities/sending-identities.ts';
import type { CountAccepted } from './management/change-limits.ts';
import type { CountAcceptedAbout } from './management/show-domain.ts';
import { managementRoutes } from './management/routes.ts';
import { sharingRoutes } from './sharing/routes.ts';
import { receivingRoutes } from './receiving/routes.ts';

export interface DomainsFeature {
  name: 'domains';
  routes: Route[];
  services: { ofWorker: Service[] };
}

export interface DomainsWiring {
  db: Db;
  clock: Clock;
  log: Log;
  settings: Settings;
  secrets: Secrets;
  sendSystemMail: SendSystemMail;
  safeFetch: SafeFetch;
  /** null: mail goes to a service that takes mail of every domain. */
  identities: SendingIdentities | null;
  countAccepted: CountAccepted;
  countAcceptedAbout: CountAcceptedAbout;
}

export function createDomainsFeature(wiring: DomainsWiring): DomainsFeature {
  const { settings, clock, identities } = wiring;
  const servers = settings.dnsServers.flatMap((entry) => readServerAddress(entry) ?? []);
  const rules = createAddressRules(settings.egressAllow);
  const ports: CheckPorts & MarkPorts = {
    ...wiring,
    lookUp: () => createLookUp({ servers, rules, clock }),
    findNameServers: createNameServers(servers),
  };
  return {
    name: 'domains',
    routes: [
      ...managementRoutes({ hasIdentities: identities !== null, ...wiring }),
      ...checkRoutes(ports),
      ...bimiRoutes(ports),
      ...sharingRoutes(),
      ...receivingRoutes(wiring),
    ],
    // Self-hosted has none that could be checked.
    services: {
      ofWorker:
        settings.edition === 'cloud'
          ? [
              createCheckService(ports),
              createExpiryService(ports),
              ...(identities === null ? [] : [createIdentityService({ ...wiring, identities })]),
            ]
          : [],
    },
  };
}
