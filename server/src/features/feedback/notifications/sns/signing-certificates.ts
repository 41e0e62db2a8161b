import { type KeyObject, X509Certificate } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '#platform/clock.ts';
import { forbidden, unavailable } from '#platform/errors/app-error.ts';
import type { SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';

export interface SigningCertificates {
  /**
   * The public key of the certificate at `url` (checked by `checkCertUrl`). 403 when it is not one of SNS, or not valid
   * now; 503 when it could not be had, so that SNS comes again.
   */
  keyAt(url: string): Promise<KeyObject>;
}

export interface SigningCertificatesOptions {
  safeFetch: SafeFetch;
  clock: Clock;
  /** False for an emulator, which cannot have a certificate that Amazon issued. */
  mustBeAmazons: boolean;
}

interface Certificate {
  key: KeyObject;
  validFrom: Date;
  validTo: Date;
}
type Found =
  | { kind: 'good'; certificate: Certificate }
  | { kind: 'refused'; why: string }
  | { kind: 'missing'; why: string };

const CACHED_MAX = 32;
/** Bad news is kept only so long: a wrong URL must cost one request, and a mended fault must not last. */
const REFUSED_MS = 60_000;
const MISSING_MS = 2_000;
const BODY_BYTES_MAX = 65_536;
const TIMEOUT_MS = 5_000;
/** Anyone who knows the name of a topic can make us ask for certificates: so many at once, and no more. */
const WAITING_MAX = 16;

/** Fetches signing certificates, one at a time, and keeps them: SNS changes its certificate about once a year. */
export function createSigningCertificates(options: SigningCertificatesOptions): SigningCertificates {
  const { clock } = options;
  const perf = { now: () => clock.monotonicMs() };
  const cache = new LRUCache<string, Found>({ max: CACHED_MAX, ttlResolution: 0, perf });
  const underWay = new Map<string, Promise<Found>>();
  let last: Promise<unknown> = Promise.resolve();

  const look = (url: string): Promise<Found> => {
    const running = underWay.get(url);
    if (running !== undefined) return running;
    if (underWay.size >= WAITING_MAX) return Promise.resolve({ kind: 'missing', why: 'too many at once' });
    const fetched = last.then(() => fetchCertificate(url, options));
    last = fetched;
    underWay.set(url, fetched);
    return fetched.then((found) => {
      underWay.delete(url);
      cache.set(url, found, ttlOf(found));
      return found;
    });
  };

  return {
    async keyAt(url) {
      const found = cache.get(url) ?? (await look(url));
      if (found.kind === 'missing') {
        throw unavailable('The signing certificate could not be fetched just now.', new Error(found.why));
      }
      if (found.kind === 'refused')
        throw forbidden(`The signing certificate is refused: ${found.why}.`, 'SigningCertURL');
      const { key, validFrom, validTo } = found.certificate;
      const now = clock.now();
      if (now < validFrom || now > validTo) {
        throw forbidden('The signing certificate is not valid at this time.', 'SigningCertURL');
      }
      return key;
    },
  };
}

const ttlOf = (found: Found): { ttl?: number } =>
  found.kind === 'good' ? {} : { ttl: found.kind === 'refused' ? REFUSED_MS : MISSING_MS };

/** Never rejects. */
async function fetchCertificate(url: string, options: SigningCertificatesOptions): Promise<Found> {
  const answer = await options.safeFetch.request(url, {
    method: 'GET',
    timeoutMs: TIMEOUT_MS,
    bodyBytesMax: BODY_BYTES_MAX,
  });
  if (answer.kind !== 'answered') return { kind: 'missing', why: answer.reason };
  if (answer.status === 403 || answer.status === 404) return { kind: 'refused', why: 'there is none at its URL' };
  if (answer.status !== 200) return { kind: 'missing', why: `status ${answer.status}` };
  if (answer.truncated) return { kind: 'refused', why: 'it is too large' };
  return readCertificate(answer.body, new URL(url), options.mustBeAmazons);
}

function readCertificate(pem: Buffer, url: URL, mustBeAmazons: boolean): Found {
  let read: X509Certificate;
  try {
    read = new X509Certificate(pem);
  } catch {
    return { kind: 'refused', why: 'it is no certificate' };
  }
  const key = read.publicKey;
  if (key.asymmetricKeyType !== 'rsa') return { kind: 'refused', why: 'its key is not RSA' };
  if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < 2_048) return { kind: 'refused', why: 'its key is too short' };
  const why = mustBeAmazons ? whyNotAmazons(read, url) : undefined;
  if (why !== undefined) return { kind: 'refused', why };
  return { kind: 'good', certificate: { key, validFrom: read.validFromDate, validTo: read.validToDate } };
}

/** The chain is not in the file: what vouches for it is the TLS of the host that it came from, and these names. */
function whyNotAmazons(certificate: X509Certificate, { hostname }: URL): string | undefined {
  const { subject, issuer } = certificate.toLegacyObject();
  if (subject.CN !== 'sns.amazonaws.com' && subject.CN !== hostname) return 'it is not that of Amazon SNS';
  if (certificate.checkIssued(certificate)) return 'it is self-signed';
  // In China another authority may have issued it.
  return issuer.O === 'Amazon' || hostname.endsWith('.cn') ? undefined : 'Amazon did not issue it';
}
