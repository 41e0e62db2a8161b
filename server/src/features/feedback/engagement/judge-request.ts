import type { BotReason, EngagementType } from './engagement.ts';

/** The headers by which a request for a pixel or link describes itself. Header values as they came. */
export interface EngagementRequest {
  type: EngagementType;
  userAgent: string;
  /** Of Purpose, Sec-Purpose, X-Purpose and X-Moz. */
  purposes: readonly string[];
}

// The pictures of a person's mail, fetched for them when they open it (Gmail, Yahoo): an open like any other.
const PROXY_OF_A_PERSON = /GoogleImageProxy|YahooMailProxy/;
// The names that libraries use at the beginning of the header.
const PROGRAM =
  /^(curl|wget|python|aiohttp|httpx|go-http-client|java|jakarta|okhttp|apache-httpclient|libwww|lwp|node|axios|got|undici|bun|deno|ruby|faraday|php|guzzle|guzzlehttp|symfony|winhttp|powershell|postman|insomnia|httpie|scrapy|rest-client|restsharp|dart|reqwest|hyper|http_request|perl|mechanize)\b/i;
// Browsers that a program drives.
const DRIVEN = /headless|phantomjs|puppeteer|playwright|selenium|lighthouse/i;
// A telephone is called Cubot.
const CRAWLER =
  /(?<!cu)bot\b|crawl|spider|slurp|preview|prerender|link ?check|scanner|validator|facebookexternalhit|facebookcatalog|whatsapp\/|embedly|iframely|vkshare|quora link|google-safety|google-inspectiontool|appengine-google|adsbot|feedfetcher|archiver|uptime|pingdom|windowspowershell|zgrab|masscan|nmap/i;
// The user agents of link scanners.
const SECURITY =
  /barracuda|mimecast|proofpoint|symantec|messagelabs|ironport|sophos|trend ?micro|fireeye|trellix|forcepoint|websense|zscaler|fortiguard|fortinet|fortimail|bitdefender|kaspersky|mcafee|check ?point|safelinks|microsoft defender|urlscan|virustotal|phishtank|netcraft|cloudmark|vade ?secure|hornetsecurity|ironscales|cofense|avanan|spamhaus|perception point|mailguard|spamtitan|area ?1 ?security/i;
const BROWSER = /^(mozilla|opera|safari|dolphin|ucweb)\//i;

/**
 * Whether it calls itself one of those that fetch links which nobody has followed: protection of mail, previews of
 * messengers, search engines. Any other program was started by somebody.
 */
export const isKnownScanner = (userAgent: string): boolean => CRAWLER.test(userAgent) || SECURITY.test(userAgent);

/**
 * Whether a browser fetches it before anybody has asked for it. Values of Purpose, Sec-Purpose, X-Purpose and X-Moz.
 */
export const isPrefetch = (purposes: readonly string[]): boolean =>
  purposes.some((purpose) => /prefetch|prerender|preview/i.test(purpose));

/**
 * Why this request is a machine's, or null: it may be a person's. An open is asked for by mail programs, which call
 * themselves what they like; a link is followed by a browser, and all of those call themselves Mozilla or Opera.
 */
export function judgeRequest({ type, userAgent, purposes }: EngagementRequest): BotReason | null {
  if (isPrefetch(purposes)) return 'prefetch';
  const agent = userAgent.trim();
  if (agent === '' || agent === '-') return 'no_user_agent';
  // Apple's proxy says this and no more (Mail Privacy Protection, since iOS 15); people's browsers never do.
  if (agent === 'Mozilla/5.0') return type === 'open' ? 'apple_mail_privacy' : 'bot_user_agent';
  if (type === 'open' && PROXY_OF_A_PERSON.test(agent)) return null;
  if (PROGRAM.test(agent) || DRIVEN.test(agent) || isKnownScanner(agent)) return 'bot_user_agent';
  if (type === 'click' && !BROWSER.test(agent)) return 'bot_user_agent';
  return null;
}
