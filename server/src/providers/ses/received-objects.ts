import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';
import type { SesSettings } from './ses-settings.ts';

type Sdk = typeof import('@aws-sdk/client-s3');

export interface ObjectClientOptions {
  /** Instead of the chain of the SDK (environment, ~/.aws, container, instance). */
  credentials?: NonNullable<S3ClientConfig['credentials']>;
}

const ANSWER_MAX_MS = 60_000;
/** Its size is that of a message; a receipt rule with a KMS key makes objects that only Amazon's old clients read. */
const CLIENT_SIDE_KEY = 'x-amz-key-v2';

/**
 * Messages that receipt rules of Amazon SES have put into S3: page "GetObject" of the Amazon S3 API Reference. A bucket
 * in another region is followed to there. Nothing is repeated here; reading is safe to repeat.
 */
export function createReceivedObjects({ endpoint }: Pick<SesSettings, 'endpoint'>, options: ObjectClientOptions = {}) {
  const clients = new Map<string, Promise<{ sdk: Sdk; client: S3Client }>>();
  let closing = new AbortController();
  const clientOf = (region: string): Promise<{ sdk: Sdk; client: S3Client }> => {
    const client = clients.get(region) ?? load(region, endpoint, options);
    clients.set(region, client);
    return client;
  };
  return {
    async fetch(
      { region, bucket, key }: { region: string; bucket: string; key: string },
      bytesMax: number,
    ): Promise<{ bytes: Buffer } | { tooLarge: number }> {
      const signal = AbortSignal.any([AbortSignal.timeout(ANSWER_MAX_MS), closing.signal]);
      // The chain of credentials looks at no signal; nobody waits for it longer than for an answer.
      const late = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      return Promise.race([clientOf(region).then((s3) => getObject(s3, { bucket, key, bytesMax, signal })), late]);
    },
    close(): void {
      closing.abort(new Error('closed'));
      closing = new AbortController();
      for (const client of clients.values()) void client.then((s3) => s3.client.destroy());
      clients.clear();
    },
  };
}

/** Loaded with the first message: the SDK costs 60 ms and some megabytes. */
async function load(
  region: string,
  endpoint: string | null,
  { credentials }: ObjectClientOptions,
): Promise<{ sdk: Sdk; client: S3Client }> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region,
    maxAttempts: 1,
    followRegionRedirects: true,
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === undefined ? {} : { credentials }),
  });
  return { sdk, client };
}

async function getObject(
  { sdk, client }: { sdk: Sdk; client: S3Client },
  { bucket, key, bytesMax, signal }: { bucket: string; key: string; bytesMax: number; signal: AbortSignal },
): Promise<{ bytes: Buffer } | { tooLarge: number }> {
  const reading = new AbortController();
  const abortSignal = AbortSignal.any([signal, reading.signal]);
  try {
    const found = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: key }), { abortSignal });
    if (found.Metadata?.[CLIENT_SIDE_KEY] !== undefined) {
      throw new Error('the receipt rule encrypts messages with a KMS key, which Posthorn cannot read');
    }
    if (found.ContentLength === undefined || found.Body === undefined) throw new Error('an answer without its length');
    if (found.ContentLength > bytesMax) return { tooLarge: found.ContentLength };
    const bytes = Buffer.from(await found.Body.transformToByteArray());
    if (bytes.length !== found.ContentLength) throw new Error('the answer was cut off');
    return { bytes };
  } finally {
    // An answer that nobody wants to read ends here.
    reading.abort();
  }
}
