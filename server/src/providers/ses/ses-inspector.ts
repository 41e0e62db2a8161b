import type { EventDestination, GetAccountResponse, GetEmailIdentityResponse } from '@aws-sdk/client-sesv2';
import type { ReceiptRule } from '@aws-sdk/client-ses';
import { type LoadedSes, loadSesClient, type SesClientOptions } from './ses-client.ts';
import type { SesSettings } from './ses-settings.ts';

const ANSWER_MAX_MS = 10_000;

/**
 * Asks SES about account and set-up. Each call ends within ten seconds and rejects with the error of the SDK: `name` is
 * that of AWS (`NotFoundException`, `AccessDeniedException`, `CredentialsProviderError`), `message` its words. Reading
 * is safe to repeat, and nothing is repeated here.
 */
export interface SesInspector {
  /** Page "GetAccount": sandbox, quota, rate, standing. */
  account(): Promise<GetAccountResponse>;
  /** Page "GetEmailIdentity": an address or a domain; NotFoundException when there is none. */
  identity(name: string): Promise<GetEmailIdentityResponse>;
  /** Page "GetConfigurationSet": rejects with NotFoundException when there is none of this name. */
  configurationSet(name: string): Promise<{ sendingEnabled: boolean }>;
  /** Page "GetConfigurationSetEventDestinations". */
  eventDestinations(configurationSet: string): Promise<EventDestination[]>;
  /** Page "DescribeActiveReceiptRuleSet": null when no rule set is active in the region. */
  receiptRules(region: string): Promise<{ name: string; rules: ReceiptRule[] } | null>;
  /** Ends the calls that are under way: they reject. It may be called again afterwards. */
  close(): void;
}

export function createSesInspector(settings: SesSettings, options: SesClientOptions = {}): SesInspector {
  let loading: Promise<LoadedSes> | undefined;
  let closing = new AbortController();
  const load = (): Promise<LoadedSes> => (loading ??= loadSesClient(settings, options));
  const within = <T>(work: (ses: LoadedSes, abortSignal: AbortSignal) => Promise<T>): Promise<T> => {
    const signal = AbortSignal.any([AbortSignal.timeout(ANSWER_MAX_MS), closing.signal]);
    // The chain of credentials looks at no signal; nobody waits for it longer than for an answer.
    const late = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    return Promise.race([load().then((ses) => work(ses, signal)), late]);
  };
  return {
    account: () =>
      within(({ sdk, client }, abortSignal) => client.send(new sdk.GetAccountCommand({}), { abortSignal })),
    identity: (name) =>
      within(({ sdk, client }, abortSignal) =>
        client.send(new sdk.GetEmailIdentityCommand({ EmailIdentity: name }), { abortSignal }),
      ),
    configurationSet: (name) =>
      within(async ({ sdk, client }, abortSignal) => {
        const set = await client.send(new sdk.GetConfigurationSetCommand({ ConfigurationSetName: name }), {
          abortSignal,
        });
        return { sendingEnabled: set.SendingOptions?.SendingEnabled ?? true };
      }),
    eventDestinations: (configurationSet) =>
      within(async ({ sdk, client }, abortSignal) => {
        const input = { ConfigurationSetName: configurationSet };
        const answer = await client.send(new sdk.GetConfigurationSetEventDestinationsCommand(input), { abortSignal });
        return answer.EventDestinations ?? [];
      }),
    receiptRules: (region) => within((_, signal) => describeReceiptRules({ ...settings, region }, options, signal)),
    close() {
      // A call whose request has not begun yet would open a new connection, and keep its caller for ten seconds.
      closing.abort(new Error('closed'));
      closing = new AbortController();
      void loading?.then(({ client }) => client.destroy());
      loading = undefined;
    },
  };
}

/** Receipt rules are in the API of version 1 alone. */
async function describeReceiptRules(
  { region, endpoint }: SesSettings,
  { credentials }: SesClientOptions,
  abortSignal: AbortSignal,
): Promise<{ name: string; rules: ReceiptRule[] } | null> {
  const { DescribeActiveReceiptRuleSetCommand, SESClient } = await import('@aws-sdk/client-ses');
  const client = new SESClient({
    region,
    maxAttempts: 1,
    ...(endpoint === null ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
  });
  try {
    const { Metadata, Rules = [] } = await client.send(new DescribeActiveReceiptRuleSetCommand({}), { abortSignal });
    return Metadata?.Name === undefined ? null : { name: Metadata.Name, rules: Rules };
  } finally {
    client.destroy();
  }
}
