import { createSigning } from '#features/domains';
import { deletePageOfProviderEvents } from '#features/feedback';
import { createResolveRecords } from '#platform/dns/resolve-records.ts';
import { readServerAddress } from '#platform/dns/server-address.ts';
import { createHeartbeat, createQueueSignal, outboxServices } from '#features/outbox';
import { deletePageOfSessions } from '#features/smtp-relay';
import { forgetExpiredService } from '#features/suppressions';
import type { Service, Services } from '#platform/lifecycle.ts';
import { deletePageOfCaptured } from '#providers/capture/queries.ts';
import type { Features } from './features.ts';
import { createHousekeeping } from './housekeeping.ts';
import { mailFromSes } from './mail/mail-from-ses.ts';
import { mailListener } from './mail/mail-listener.ts';
import { forgetOldLogsService } from './old-logs.ts';
import type { Parts } from './parts.ts';
import { providerSigns, wireProviders } from './providers.ts';
import { returnPathOf } from './mail/return-path.ts';

export interface ProcessServices {
  /** In the order of their start. */
  services: Services;
  /** They start after all others, and are told to stop at the same time as HTTP. None needs another. */
  workers: readonly Service[];
}

/** The services of a process with these roles besides HTTP. */
export function servicesOf(parts: Parts, features: Features): ProcessServices {
  const { roles } = parts;
  const ofWorker = { ...parts, db: parts.workerDb };
  const providers = roles.includes('worker') ? wireProviders(ofWorker) : undefined;
  return {
    services: [
      ...features.fetches.map(({ close }) => ({ name: 'safe fetch', start: async () => undefined, stop: close })),
      createQueueSignal(ofWorker),
      createHeartbeat(ofWorker),
      ...features.audit.services,
      features.requestLog.requestLog,
      features.smtpRelay.sessionLog,
      ...(roles.includes('api') || roles.includes('smtp') ? features.apiKeys.services : []),
      ...(providers?.services ?? []),
      roles.includes('api') ? servicesOfApi(parts, features) : [],
    ],
    // Each may take seconds to finish what is in hand: the worker POSTHORN_STOP_SECONDS, deliveries of webhooks 6.
    workers: [
      ...(providers === undefined ? [] : servicesOfWorker(ofWorker, features, providers)),
      ...(roles.includes('smtp')
        ? [...mailListener(parts, features.mailDestinations), ...features.smtpRelay.services]
        : []),
    ],
  };
}

function servicesOfApi(parts: Parts, { workspaces, webhooks, feedback, newsletters }: Features): Service[] {
  return [
    ...workspaces.services(parts),
    ...webhooks.services.ofApi,
    ...feedback.services.ofApi,
    ...newsletters.services.ofApi,
  ];
}

function servicesOfWorker(
  parts: Parts,
  {
    automations,
    consents,
    contacts,
    broadcasts,
    domains,
    feedback,
    images,
    inbound,
    newsletters,
    scheduledEmails,
    transfers,
    webhooks,
    audiences,
    mailDestinations,
    suppressions,
  }: Features,
  providers: ReturnType<typeof wireProviders>,
): Service[] {
  const { db, settings, secrets } = parts;
  return [
    ...outboxServices({
      ...parts,
      providers,
      tracking: {
        baseUrl: settings.publicUrl,
        ownUrls: [settings.dashboardUrl],
        key: secrets.key('tracking'),
      },
      audiences,
      alsoPurge: [deletePageOfProviderEvents, deletePageOfSessions, deletePageOfCaptured],
      resolve: resolverOf(parts),
      ...createSigning({ db, secrets, serviceSigns: providerSigns(settings) }),
      returnPath: returnPathOf(settings, secrets),
    }),
    ...feedback.services.ofWorker,
    createHousekeeping(parts),
    forgetExpiredService(parts),
    ...suppressions.services.ofWorker,
    forgetOldLogsService(parts),
    ...webhooks.services.ofWorker,
    ...domains.services.ofWorker,
    ...consents.services.ofWorker,
    ...contacts.services.ofWorker,
    ...images.services.ofWorker,
    ...inbound.services.ofWorker,
    ...mailFromSes(parts, mailDestinations),
    ...newsletters.services.ofWorker,
    ...broadcasts.services.ofWorker,
    ...scheduledEmails.services.ofWorker,
    ...automations.services.ofWorker,
    ...transfers.services.ofWorker,
  ];
}

/** Captured mail goes nowhere, so nobody is asked who would receive it. */
function resolverOf({ settings, clock }: Parts) {
  if (settings.providerUrl.startsWith('capture:')) return null;
  const servers = settings.dnsServers.flatMap((entry) => readServerAddress(entry) ?? []);
  return createResolveRecords({ servers, clock });
}
