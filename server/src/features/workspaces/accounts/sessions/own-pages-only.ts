import type { IncomingHttpHeaders } from 'node:http';
import type { Settings } from '#platform/config/settings.ts';
import { forbidden } from '#platform/errors/app-error.ts';

type Urls = Pick<Settings, 'dashboardUrl' | 'publicUrl'>;

export interface AskedBy {
  method: string;
  headers: IncomingHttpHeaders;
}

const SAFE = new Set(['GET', 'HEAD']);

/**
 * Refuses a write that a browser sends with the session cookie on behalf of another site's page. Three signs, of which
 * each would do (docs/decisions/0080-a-session-cookie-for-the-dashboard.md): a header that a form cannot set and that
 * another origin may not send without our leave; the origin of the page; and the browser's own judgement.
 */
export function refuseForeignWrite(asked: AskedBy, settings: Urls): void {
  if (SAFE.has(asked.method)) return;
  if (asked.headers['x-posthorn-csrf'] !== '1') {
    throw forbidden(
      'A change with the session cookie needs the header "X-Posthorn-Csrf: 1". Programs use an API key instead.',
      'X-Posthorn-Csrf',
    );
  }
  refuseForeignPage(asked.headers, settings);
}

/** The last two signs, where the browser sends them: curl and old browsers send neither. */
export function refuseForeignPage(headers: IncomingHttpHeaders, settings: Urls): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') {
    throw forbidden(`The page of another site (${String(site)}) may not use the session cookie.`, 'Sec-Fetch-Site');
  }
  const { origin } = headers;
  if (origin === undefined || isOwnOrigin(origin, headers.host, settings)) return;
  throw forbidden(
    `A page of another origin may not use the session cookie. Open the dashboard at ${settings.dashboardUrl}.`,
    'Origin',
  );
}

/**
 * A configured address, or the very host that the request names: a machine has several names, and a browser sends the
 * page's own one in both headers. A page over http is no page of ours when the dashboard is served over https.
 */
function isOwnOrigin(origin: string, host: string | undefined, { dashboardUrl, publicUrl }: Urls): boolean {
  if (origin === new URL(dashboardUrl).origin || origin === new URL(publicUrl).origin) return true;
  if (!URL.canParse(origin)) return false;
  const page = new URL(origin);
  if (page.protocol !== 'https:' && dashboardUrl.startsWith('https:')) return false;
  return host !== undefined && page.host === host.toLowerCase();
}
