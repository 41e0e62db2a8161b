import type { Clock } from '#platform/clock.ts';
import { unacceptable } from '#platform/errors/app-error.ts';
import type { SafeAnswer, SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';

const PARAM = 'url';
/** For all requests together. */
const FETCH_MS_MAX = 10_000;
/** Hosts of images redirect to where the file is; each address is judged anew. */
const REDIRECTS_MAX = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

interface Request {
  url: string;
  bytesMax: number;
  /** Connections are shared among requests of one workspace only. */
  workspaceId: string;
}

/**
 * The file at an address that a caller names. Throws 422 (`url`) for an address that may not be reached, and for every
 * answer that is no file: the fault is that of another server, and never ours.
 */
export async function fetchImage(
  { safeFetch, clock }: { safeFetch: SafeFetch; clock: Clock },
  { url, bytesMax, workspaceId }: Request,
): Promise<Buffer> {
  const endsMs = clock.monotonicMs() + FETCH_MS_MAX;
  let address = url;
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    const answer = await safeFetch.request(address, {
      method: 'GET',
      headers: { accept: 'image/png,image/jpeg,image/gif,image/webp' },
      timeoutMs: Math.max(Math.round(endsMs - clock.monotonicMs()), 1),
      bodyBytesMax: bytesMax,
      onBehalfOf: workspaceId,
    });
    if (answer.kind !== 'answered') throw unacceptable(PARAM, `The image could not be fetched: ${answer.reason}.`);
    const next = redirectOf(answer, address);
    if (next === undefined) return fileOf(answer, bytesMax);
    address = next;
  }
  throw unacceptable(PARAM, `The address of the image redirects more than ${REDIRECTS_MAX} times.`);
}

type Answered = Extract<SafeAnswer, { kind: 'answered' }>;

function redirectOf({ status, headers }: Answered, from: string): string | undefined {
  const { location } = headers;
  if (!REDIRECTS.has(status) || typeof location !== 'string') return undefined;
  const next = URL.parse(location, from);
  if (next === null) return location; // refused by the next request
  next.hash = ''; // means a place in the file, and is never sent
  return next.href;
}

function fileOf({ status, body, truncated }: Answered, bytesMax: number): Buffer {
  if (status === 401 || status === 403 || status === 404 || status === 410)
    throw unacceptable(
      PARAM,
      `The server of the image answers ${status}. It may show the image to you only, or no longer: save it and upload the file.`,
    );
  if (status !== 200) throw unacceptable(PARAM, `The server of the image answers ${status}.`);
  if (truncated)
    throw unacceptable(
      PARAM,
      `The image has more than ${bytesMax / 1_048_576} MB. Make it smaller and upload the file.`,
    );
  return body;
}
