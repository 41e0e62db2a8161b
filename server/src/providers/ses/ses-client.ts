import type { SESv2Client, SESv2ClientConfig } from '@aws-sdk/client-sesv2';
import { type Clock, systemClock } from '#platform/clock.ts';
import { createHttpHandler } from './http-handler.ts';
import type { SesSettings } from './ses-settings.ts';

type Sdk = typeof import('@aws-sdk/client-sesv2');

export interface SesClientOptions {
  clock?: Clock;
  /** Instead of the chain of the SDK (environment, ~/.aws, container, instance). */
  credentials?: NonNullable<SESv2ClientConfig['credentials']>;
  /** Certificates to believe besides the system's; PEM. */
  ca?: string | Buffer;
}

export interface LoadedSes {
  sdk: Sdk;
  client: SESv2Client;
}

/** The SDK costs 18 MB and 70 ms, which only those pay who send through Amazon SES. */
const loadSdk = (): Promise<Sdk> => import('@aws-sdk/client-sesv2');

/** One attempt for each call: whoever repeats a hand-off must know what became of the one before. */
export async function loadSesClient(settings: SesSettings, options: SesClientOptions = {}): Promise<LoadedSes> {
  const sdk = await loadSdk();
  const requestHandler = createHttpHandler({
    clock: options.clock ?? systemClock,
    connections: settings.connections,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  });
  const client = new sdk.SESv2Client({
    region: settings.region,
    maxAttempts: 1,
    requestHandler,
    ...(settings.endpoint === null ? {} : { endpoint: settings.endpoint }),
    ...(options.credentials === undefined ? {} : { credentials: options.credentials }),
  });
  return { sdk, client };
}
