import { fetchOrTake, READS_BY_POST } from '../early.ts';

/** Pressed again after this long, the same action is meant to happen again. */
const KEPT_MS = 10 * 60_000;
/** Answers that were lost, at most; each holds the body of its request. */
const KEPT_MAX = 20;

interface Lost {
  key: string;
  at: number;
  path: string;
  /** False: its answer is still awaited. */
  isLost: boolean;
}

/** Requests without an answer so far, by all that they say. */
const lost = new Map<string, Lost>();

/**
 * The fetch of the client. A POST has an Idempotency-Key. When its answer is lost and the person presses again, the
 * same request goes out with the same key: the server answers what it has done, and does nothing twice. A file that is
 * uploaded has none, because it would have to be read first.
 */
export async function fetchOnce(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const { pathname } = new URL(request.url);
  if (!isRepeatable(request)) {
    const response = await fetchOrTake(request);
    if (request.method !== 'GET' && response.ok) forgetRelated(pathname);
    return response;
  }
  const said = `${request.headers.get('X-Workspace-ID') ?? ''} ${request.url} ${await request.clone().text()}`;
  const asked = remember(said, pathname);
  request.headers.set('Idempotency-Key', asked.key);
  asked.isLost = false;
  try {
    const response = await fetchOrTake(request);
    // An answer that breaks off is lost, too.
    const body = await response.arrayBuffer();
    asked.isLost = isOpen(response);
    if (!asked.isLost) lost.delete(said);
    if (response.ok) forgetRelated(pathname);
    return new Response(body.byteLength === 0 ? null : body, response);
  } catch (error) {
    asked.isLost = true;
    throw error;
  }
}

function isRepeatable(request: Request): boolean {
  const { pathname, searchParams } = new URL(request.url);
  const type = request.headers.get('Content-Type');
  if (request.method !== 'POST' || (type !== null && !type.startsWith('application/json'))) return false;
  return !READS_BY_POST.test(pathname) && !searchParams.has('dryRun') && !pathname.startsWith('/auth/');
}

/**
 * An answered write to the same record: the person has seen a later state of it, and what they ask for now is asked
 * anew. Pause (lost), resume, pause: the second pause has to pause. Lost requests to other records keep their keys, and
 * so does one whose answer is still awaited: it may be lost yet.
 */
function forgetRelated(path: string): void {
  for (const [said, one] of lost) if (one.isLost && isRelated(one.path, path)) lost.delete(said);
}

/** One path is below the other, or both are actions of one record: `/v1/broadcasts/ID/pause` and `…/resume`. */
function isRelated(a: string, b: string): boolean {
  if (a === b) return false;
  if (a.startsWith(`${b}/`) || b.startsWith(`${a}/`)) return true;
  const record = a.slice(0, a.lastIndexOf('/'));
  return record.split('/').length > 3 && b.slice(0, b.lastIndexOf('/')) === record;
}

function remember(said: string, path: string): Lost {
  const now = Date.now();
  for (const [other, { at }] of lost) if (now - at > KEPT_MS || lost.size > KEPT_MAX) lost.delete(other);
  const known = lost.get(said) ?? { key: newKey(), at: now, path, isLost: false };
  lost.set(said, known);
  return known;
}

/** The first request still runs, or something between us and the server has failed. */
const isOpen = ({ status, headers }: Response): boolean =>
  status >= 500 || (status === 409 && headers.has('retry-after'));

/** 128 random bits. `crypto.randomUUID` is not there on a page without TLS. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
