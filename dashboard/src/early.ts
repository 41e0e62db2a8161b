/** A page that is not there by then reads anew. */
const FRESH_MS = 10_000;

/** A POST of these changes nothing. */
export const READS_BY_POST = /\/(check|preview|render|verify)$|\/automations\/[^/]+\/simulate$/;

const asked = new Map<string, Promise<Response>>();

/** Asks for what the first page reads, before the code that reads it has arrived. */
export function askEarly(path: string, workspace?: string): Promise<Response> {
  const headers: HeadersInit = workspace === undefined ? {} : { 'X-Workspace-ID': workspace };
  const answer = fetch(path, { credentials: 'same-origin', headers });
  answer.catch(() => undefined); // who takes it learns of it
  asked.set(keyOf(path, workspace), answer);
  return answer;
}

/** The fetch of the client: an answer that was asked for early is given once, to the same question. */
export async function fetchOrTake(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const { pathname, search } = new URL(request.url);
  const isRead = request.method === 'GET' || READS_BY_POST.test(pathname);
  // After a write, such as a sign-in, they are of another time.
  if (!isRead || performance.now() > FRESH_MS) asked.clear();
  const key = keyOf(`${pathname}${search}`, request.headers.get('X-Workspace-ID') ?? undefined);
  const early = asked.get(key);
  if (early === undefined) return fetch(request);
  asked.delete(key);
  return early;
}

const keyOf = (path: string, workspace = ''): string => `${workspace} ${path}`;
