import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMsOf } from '../../../../test/harness/cpu-time.ts';
import type { BotReason, EngagementType } from './engagement.ts';
import { judgeRequest } from './judge-request.ts';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36';
const BOTH: EngagementType[] = ['open', 'click'];

const judged: [string, string, EngagementType[], BotReason | null][] = [
  ['Chrome', CHROME, BOTH, null],
  ['Edge', `${CHROME} Edg/143.0.0.0`, BOTH, null],
  ['Firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', BOTH, null],
  [
    'Safari on an iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1',
    BOTH,
    null,
  ],
  [
    'Apple Mail without the proxy',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
    BOTH,
    null,
  ],
  ['Thunderbird', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Thunderbird/140.5.0', BOTH, null],
  ['Outlook for Windows', 'Mozilla/4.0 (compatible; ms-office; MSOffice 16)', BOTH, null],
  [
    'a Cubot telephone',
    'Mozilla/5.0 (Linux; Android 13; CUBOT KINGKONG 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile Safari/537.36',
    BOTH,
    null,
  ],
  ['Opera Mini', 'Opera/9.80 (Android; Opera Mini/36.2/191.301; U; en) Presto/2.12.423 Version/12.16', BOTH, null],
  ['a mail program of its own name', 'Outlook-iOS/723.4027091.prod.iphone (4.28.0)', ['open'], null],
  ['a mail program that follows links', 'Outlook-iOS/723.4027091.prod.iphone (4.28.0)', ['click'], 'bot_user_agent'],
  [
    'Gmail, for its reader',
    'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
    ['open'],
    null,
  ],
  ['Yahoo, for its reader', 'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html', ['open'], null],
  ['Apple Mail Privacy Protection', 'Mozilla/5.0', ['open'], 'apple_mail_privacy'],
  ['a bare Mozilla that follows links', 'Mozilla/5.0', ['click'], 'bot_user_agent'],
  ['nothing', '', BOTH, 'no_user_agent'],
  ['a blank', '  ', BOTH, 'no_user_agent'],
  ['curl', 'curl/8.14.1', BOTH, 'bot_user_agent'],
  ['wget', 'Wget/1.25.0', BOTH, 'bot_user_agent'],
  ['python-requests', 'python-requests/2.32.5', BOTH, 'bot_user_agent'],
  ['urllib', 'Python-urllib/3.13', BOTH, 'bot_user_agent'],
  ['aiohttp', 'aiohttp/3.13', BOTH, 'bot_user_agent'],
  ['Go', 'Go-http-client/2.0', BOTH, 'bot_user_agent'],
  ['Java', 'Java/21.0.2', BOTH, 'bot_user_agent'],
  ['okhttp', 'okhttp/5.3.0', BOTH, 'bot_user_agent'],
  ['axios', 'axios/1.13.2', BOTH, 'bot_user_agent'],
  ['node', 'node', BOTH, 'bot_user_agent'],
  ['Guzzle', 'GuzzleHttp/7', BOTH, 'bot_user_agent'],
  ['PowerShell', 'Mozilla/5.0 (Windows NT 10.0; de-DE) WindowsPowerShell/5.1.26100.7019', BOTH, 'bot_user_agent'],
  ['headless Chrome', CHROME.replace('Chrome/', 'HeadlessChrome/'), BOTH, 'bot_user_agent'],
  ['Googlebot', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', BOTH, 'bot_user_agent'],
  ['Slack', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', BOTH, 'bot_user_agent'],
  ['Twitter', 'Twitterbot/1.0', BOTH, 'bot_user_agent'],
  ['Facebook', 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', BOTH, 'bot_user_agent'],
  ['WhatsApp', 'WhatsApp/2.25.30 A', BOTH, 'bot_user_agent'],
  [
    'Skype and Teams',
    'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
    BOTH,
    'bot_user_agent',
  ],
  ['BingPreview', `${CHROME} BingPreview/1.0b`, BOTH, 'bot_user_agent'],
  ['Barracuda', 'BarracudaCentral/1.0', BOTH, 'bot_user_agent'],
  ['Mimecast', 'Mozilla/5.0 (compatible; Mimecast URL Protect)', BOTH, 'bot_user_agent'],
  ['Proofpoint', 'Mozilla/5.0 (Proofpoint URL Defense)', BOTH, 'bot_user_agent'],
  ['Trend Micro', 'Mozilla/5.0 TrendMicro HEaaS', BOTH, 'bot_user_agent'],
];

for (const [who, userAgent, types, reason] of judged) {
  for (const type of types) {
    test(`${type} by ${who}: ${reason ?? 'a person'}`, () => {
      assert.equal(judgeRequest({ type, userAgent, purposes: [] }), reason);
    });
  }
}

test('a request that says it is made ahead is a machine’s, whatever browser makes it', () => {
  for (const purpose of ['prefetch', 'prefetch;prerender', 'Prefetch;anonymous-client-ip', 'preview']) {
    assert.equal(judgeRequest({ type: 'click', userAgent: CHROME, purposes: [purpose] }), 'prefetch');
    assert.equal(judgeRequest({ type: 'open', userAgent: CHROME, purposes: ['', purpose] }), 'prefetch');
  }
  assert.equal(judgeRequest({ type: 'click', userAgent: CHROME, purposes: ['navigate'] }), null);
});

test('a user agent of 16 KB is judged in time', () => {
  for (const unit of ['bot', 'cu', 'a ', 'trend ', 'link ']) {
    const took = cpuMsOf(() => judgeRequest({ type: 'click', userAgent: unit.repeat(5_000), purposes: [] }));
    assert.ok(took < 100, `${unit} took ${took} ms`);
  }
});
