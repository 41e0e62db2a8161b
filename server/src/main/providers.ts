import type { SendingIdentities } from '#features/domains';
import { insertSimulatedEvents } from '#features/feedback';
import type { AccountList } from '#features/suppressions';
import { providerAccount } from '#features/outbox';
import { type Clock, endsWithin } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Db } from '#platform/db/database.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { capturedRetentionService } from '#providers/capture/captured-retention.ts';
import { createCaptureProvider } from '#providers/capture/capture-provider.ts';
import type { Metrics } from '#platform/metrics.ts';
import type { EmailProvider } from '#providers/email-provider.ts';
import { type ProviderConfig, parseProviderUrl } from '#providers/parse-provider-url.ts';
import { AccountReader } from '#providers/ses/account-reader.ts';
import { createSesAccountList } from '#providers/ses/ses-account-list.ts';
import { createSesIdentities } from '#providers/ses/ses-identities.ts';
import { createSesInspector } from '#providers/ses/ses-inspector.ts';
import { createSesProvider } from '#providers/ses/ses-provider.ts';
import { createSmtpProvider } from '#providers/smtp/smtp-provider.ts';

const STOP_MS = 500;

export interface WiredProviders {
  live: EmailProvider;
  /** Test keys and sandbox sends go here, whatever the live provider is. */
  sandbox: EmailProvider;
  services: Service[];
}

/** The faults of POSTHORN_PROVIDER_URL; none when it can be used. */
export function providerFaults({ providerUrl }: Pick<Settings, 'providerUrl'>): string[] {
  const parsed = parseProviderUrl(providerUrl);
  return parsed.ok ? [] : parsed.faults.map((fault) => `POSTHORN_PROVIDER_URL ${fault}`);
}

/** The domains at a provider that takes mail of those only that it knows; null: it takes mail of all. */
export function wireIdentities(settings: Pick<Settings, 'providerUrl' | 'sesEndpoint'>): SendingIdentities | null {
  const parsed = parseProviderUrl(settings.providerUrl);
  if (!parsed.ok || parsed.config.kind !== 'ses') return null;
  const { kind: _, ...url } = parsed.config;
  return createSesIdentities({ ...url, endpoint: settings.sesEndpoint });
}

/** The list of addresses that a provider refuses by itself; null: it has none that we can change. */
export function wireAccountList(
  settings: Pick<Settings, 'providerUrl' | 'sesEndpoint'>,
  regionsOf: (db: Db, workspaceId: string) => Promise<string[]>,
): AccountList | null {
  const parsed = parseProviderUrl(settings.providerUrl);
  if (!parsed.ok || parsed.config.kind !== 'ses') return null;
  const { kind: _, ...url } = parsed.config;
  const list = createSesAccountList({ ...url, endpoint: settings.sesEndpoint });
  return {
    // Each region has a list of its own.
    async remove(db, { workspaceId, email }) {
      const regions = new Set([url.region, ...(await regionsOf(db, workspaceId))]);
      await Promise.all([...regions].map((region) => list.remove({ region, email })));
    },
    close: () => list.close(),
  };
}

/** The provider signs mail of the domains whose key it has. */
export function providerSigns({ providerUrl }: Pick<Settings, 'providerUrl'>): boolean {
  const parsed = parseProviderUrl(providerUrl);
  return parsed.ok && parsed.config.kind === 'ses';
}

export function wireProviders(options: {
  settings: Settings;
  db: Db;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}): WiredProviders {
  const { settings, db, clock, log, metrics } = options;
  const parsed = parseProviderUrl(settings.providerUrl);
  if (!parsed.ok) throw new Error(parsed.faults.join('; '));
  const quotaBytes = settings.capturedMb * 1024 * 1024;
  const sandbox = createCaptureProvider({ db, clock, log, insertEvents: insertSimulatedEvents, quotaBytes });
  const { live, account } = wireLive(parsed.config, { settings, db, clock, log, sandbox });
  const all = live === sandbox ? [sandbox] : [sandbox, live];
  return {
    live: counted(live, metrics),
    sandbox: counted(sandbox, metrics),
    services: [
      account,
      capturedRetentionService({ db, clock, log, days: settings.capturedDays, quotaBytes }),
      ...all.map((provider) => ({
        name: `provider ${provider.name}`,
        start: () => provider.start(),
        // The worker has waited for answers as long as it may; what is still on its way is cut off at the end.
        stop: () => endsWithin(clock, STOP_MS, provider.stop()).then(() => undefined),
      })),
    ],
  };
}

/** The provider that mail leaves through, and who learns what the account with it allows. */
function wireLive(
  config: ProviderConfig,
  options: { settings: Settings; db: Db; clock: Clock; log: Log; sandbox: EmailProvider },
): { live: EmailProvider; account: Service } {
  const { settings, db, clock, log, sandbox } = options;
  if (config.kind === 'ses') {
    const { kind: _, ...url } = config;
    const ses = { ...url, endpoint: settings.sesEndpoint };
    const inspector = createSesInspector(ses);
    const account = new AccountReader({ db, clock, log, inspector, ...providerAccount });
    return { live: createSesProvider(ses, { clock, log }), account };
  }
  const live = config.kind === 'capture' ? sandbox : createSmtpProvider(config, { clock, log });
  // The limits of a former provider do not bound this one.
  const account = {
    name: 'provider account',
    start: () => providerAccount.noteProviderRate(db, null),
    stop: async () => undefined,
  };
  return { live, account };
}

function counted(provider: EmailProvider, metrics: Metrics): EmailProvider {
  return {
    name: provider.name,
    capacity: provider.capacity,
    start: () => provider.start(),
    stop: () => provider.stop(),
    async send(message, options) {
      const verdict = await provider.send(message, options);
      if (verdict.kind !== 'not-begun') metrics.handOffs.inc({ outcome: verdict.kind });
      return verdict;
    },
  };
}
