import type { IncomingHttpHeaders } from 'node:http';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import { readSessionToken } from './session-token.ts';

/**
 * The cookie of a person who signed in with a browser. No script can read it (HttpOnly), and other sites' writes do not
 * carry it (SameSite=Lax). Over https its name has the prefix `__Host-` (RFC 6265bis, 4.1.3.2): a browser then takes it
 * from this very host only, over https only, so that no neighbour under the same domain can plant one. Plain http,
 * which is for a developer's own machine, has neither.
 */
const NAME = 'posthorn-session';
/** Browsers keep no cookie longer (RFC 6265bis, 5.5). The session in it ends long before, if nobody uses it. */
const KEPT_SECONDS = 400 * 86_400;

type Where = Pick<Settings, 'dashboardUrl'>;

const isSecure = ({ dashboardUrl }: Where): boolean => dashboardUrl.startsWith('https:');

const nameFor = (where: Where): string => (isSecure(where) ? `__Host-${NAME}` : NAME);

const attributes = (where: Where, seconds: number): string =>
  `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure(where) ? '; Secure' : ''}`;

/** The value of `Set-Cookie` that signs a browser in. */
export const cookieWith = (where: Where, token: string): string =>
  `${nameFor(where)}=${token}; ${attributes(where, KEPT_SECONDS)}`;

/** The value of `Set-Cookie` that makes a browser forget its session. */
export const emptyCookie = (where: Where): string => `${nameFor(where)}=; ${attributes(where, 0)}`;

/** The value of a request's cookie; undefined without one. */
export function cookieOf(where: Where, headers: IncomingHttpHeaders): string | undefined {
  const start = `${nameFor(where)}=`;
  const pairs = headers.cookie?.split(';').map((pair) => pair.trim()) ?? [];
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length);
}

/** The session that the cookie of a request names, when we issued that cookie. */
export function sessionOfCookie(
  deps: { secrets: Secrets; settings: Where },
  headers: IncomingHttpHeaders,
): { sessionId: string; hash: Buffer } | undefined {
  const token = cookieOf(deps.settings, headers);
  return token === undefined ? undefined : readSessionToken(deps.secrets, 'cookie', token);
}
