/**
 * What somebody may write who wants to reach our side of the wall. Every spelling is refused when it is stored and when
 * it is called, and listeners on every address of this machine hear nothing.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../../test/harness/until.ts';
import type { AppError } from '../errors/app-error.ts';
import type { SafeFetch } from './safe-fetch.ts';
import { createTestClock } from '../../../test/harness/test-clock.ts';
import { get, listenEverywhere, NOT_PUBLIC, openSafeFetch } from './test-kit.ts';

const NAMES: Record<string, string[]> = {
  '127.0.0.1.nip.io': ['127.0.0.1'],
  'own-a.example': ['127.0.0.1'],
  'own-aaaa.example': ['::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'compatible.example': ['::127.0.0.1'],
  'split.example': ['1.1.1.1', '::1'],
  'split-last.example': ['1.1.1.1', '8.8.8.8', '10.0.0.1'],
  'split-first.example': ['192.168.0.1', '1.1.1.1'],
  'metadata.google.internal': ['169.254.169.254'],
  'nat64.example': ['64:ff9b::7f00:1'],
  'zone.example': ['fe80::1%lo'],
  'ip6-localhost': ['::1'],
  'ip6-loopback': ['::1'],
  'xn--wgv71a.example': ['172.17.0.1'],
  'unspecified.example': ['0.0.0.0'],
  'nonsense.example': ['not an address'],
};
const lookup = async (name: string): Promise<string[]> => NAMES[name] ?? assert.fail(`${name} was looked up`);

/** Hosts, tried with either scheme, with and without a path, and with the port of the listeners. */
const SPELLINGS = `
  127.0.0.1 127.0.0.1. 127.1 127.0.1 0x7f.0.0.1 0x7f000001 2130706433 0177.0.0.01 127.0.0.2 ①②⑦.⓪.⓪.①
  127。0。0。1 １２７.0.0.1 %31%32%37.0.0.1 0 0.0.0.0 00000.0 localhost LOCALHOST localhost. foo.localhost
  a.b.LocalHost. ip6-localhost ip6-loopback [::1] [0:0:0:0:0:0:0:1] [::] [0000::0001] [::2]
  [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:169.254.169.254] [::FFFF:10.0.0.1] [::127.0.0.1]
  [64:ff9b::7f00:1] [64:ff9b::127.0.0.1] [64:ff9b:1::a00:1] [::ffff:0:127.0.0.1] [2002:7f00:1::]
  [2001:0:53aa:64c:0:0:80ff:fffe] [fc00::1] [fe80::1] [fec0::1] [ff02::1] 10.0.0.1 172.16.0.1
  172.31.255.255 192.168.0.1 [fd00:ec2::254] 169.254.169.254 169.254.170.2 100.100.100.200 192.0.0.192
  168.63.129.16 0xa9fea9fe 100.64.0.1 198.18.0.1 192.0.2.1 198.51.100.1 203.0.113.1 192.0.0.1 192.88.99.1
  224.0.0.1 240.0.0.1 255.255.255.255 [2001:db8::1] [3fff::1] [5f00::1]
`;
const HOSTS = [...SPELLINGS.trim().split(/\s+/), ...Object.keys(NAMES)];

/** Whole URLs, with what is wrong about them; PORT is the one that listens. */
const URLS: [url: string, reason: string][] = [
  ['http://example.com@127.0.0.1:PORT/', 'URL contains a user name or password'],
  ['http://user:pw@localhost:PORT/', 'URL contains a user name or password'],
  ['http://127.0.0.1:PORT\\@example.com', 'URL contains a backslash'],
  ['http:\\\\127.0.0.1:PORT', 'URL contains a backslash'],
  ['http:127.0.0.1:PORT', 'URL is not valid'],
  ['http:/127.0.0.1:PORT', 'URL is not valid'],
  ['http:///127.0.0.1:PORT', 'URL is not valid'],
  ['//127.0.0.1:PORT', 'URL is not valid'],
  ['127.0.0.1:PORT', 'URL is not valid'],
  ['http://[example.com]', 'URL is not valid'],
  ['http://[::1', 'URL is not valid'],
  ['http://127.0.0.1:PORT%2f', 'URL is not valid'],
  ['/path', 'URL is not valid'],
  ['', 'URL is not valid'],
  ['http://', 'URL is not valid'],
  ['ftp://127.0.0.1:PORT/', 'URL is not valid'],
  ['file:///etc/passwd', 'URL is not valid'],
  [' ', 'URL contains a space or control character'],
  ['http://127.0.0.1:PORT/\r\nHost: evil', 'URL contains a space or control character'],
  ['ht\ttp://127.0.0.1:PORT/', 'URL contains a space or control character'],
  ['http://x/%0d%0aHost:evil', 'URL contains a line break'],
  [`https://127.0.0.1:PORT/${'a'.repeat(8_192)}`, 'URL is too long'],
  [`http://${'a'.repeat(64)}.example:PORT`, 'host name is not valid'],
  [`http://${'a'.repeat(255)}:PORT`, 'host name is not valid'],
  ...[0, 22, 25, 80, 5432, 6379, 8080, 65_535].map((port): [string, string] => [
    `https://1.1.1.1:${port}/`,
    'only ports 443 and 8443 are allowed',
  ]),
  ['https://1.1.1.1:65536/', 'URL is not valid'],
  ['https://1.1.1.1:80:80/', 'URL is not valid'],
  ['http://1.1.1.1/', 'only https is allowed'],
  ['http://1.1.1.1:443/', 'only https is allowed'],
];

async function assertRefused(safeFetch: SafeFetch, url: string, reason: string): Promise<void> {
  const answer = await get(safeFetch, url);
  assert.equal(answer.kind, 'blocked', url);
  assert.equal(answer.kind === 'blocked' && answer.reason, reason, url);
  await assert.rejects(safeFetch.checkUrl(url, 'webhook.url'), (error: AppError) => {
    assert.equal(error.name, 'validation_error', url);
    const isMalformed = /^(?:URL is|URL contains a space|host name is)/.test(reason);
    assert.deepEqual([error.extras.param, error.extras.unacceptable !== true], ['webhook.url', isMalformed], url);
    assert.match(error.message, /^[A-Z].*\.$/, url);
    return true;
  });
}

describe('nothing inside is reached', () => {
  test('by a host in any spelling, over either scheme, on any port', async (t) => {
    const { port, knocks } = await listenEverywhere(t);
    const safeFetch = openSafeFetch(t, { allow: [], lookup });
    let cases = 0;
    for (const host of HOSTS) {
      for (const scheme of ['http', 'https']) {
        for (const suffix of [`:${port}/`, ':443', '', '/latest/meta-data/?a=b', ':8443/x']) {
          await assertRefused(safeFetch, `${scheme}://${host}${suffix}`, NOT_PUBLIC);
          cases += 1;
        }
      }
    }
    assert.ok(cases >= 800, `only ${cases} cases`);
    assert.deepEqual(knocks, []);
    t.diagnostic(`${cases} URLs`);
  });

  test('by a URL that is read differently by different eyes', async (t) => {
    const { port, knocks } = await listenEverywhere(t);
    const safeFetch = openSafeFetch(t, { allow: [], lookup });
    for (const [url, reason] of URLS) await assertRefused(safeFetch, url.replace('PORT', String(port)), reason);
    assert.deepEqual(knocks, []);
  });

  test('beside what the operator allows', async (t) => {
    const { port, knocks } = await listenEverywhere(t);
    const safeFetch = openSafeFetch(t, { allow: ['127.0.0.77/32', '10.9.0.0/16'], lookup });
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '10.8.0.1', 'split.example']) {
      await assertRefused(safeFetch, `http://${host}:${port}/`, NOT_PUBLIC);
    }
    assert.deepEqual(knocks, []);
  });

  test('and the listeners would have heard it', async (t) => {
    const { port, knocks } = await listenEverywhere(t);
    const safeFetch = openSafeFetch(t, { allow: ['0.0.0.0/0', '::/0'], lookup });
    for (const host of ['127.0.0.1', '0x7f.2', '[::ffff:127.0.0.1]', 'own-a.example', 'foo.localhost']) {
      const heard = knocks.length;
      const enough = new AbortController();
      const asked = get(safeFetch, `http://${host}:${port}/`, { timeoutMs: 60_000, signal: enough.signal });
      await until(`a knock by ${host}`, async () => (knocks.length > heard ? true : undefined));
      enough.abort();
      assert.equal((await asked).kind, 'failed', host);
    }
  });
});

test('a host that may be reachable later is accepted now', async (t) => {
  const lookups: string[] = [];
  const clock = createTestClock({ held: true });
  const safeFetch = openSafeFetch(t, {
    clock,
    allow: [],
    lookup: async (name) => {
      lookups.push(name);
      if (name === 'new.example') throw new Error('ENOTFOUND');
      if (name === 'slow.example') return await new Promise(() => undefined);
      return ['1.1.1.1', '2606:4700::1111'];
    },
  });
  const check = async (name: string): Promise<void> => {
    assert.equal(await safeFetch.checkUrl(`HTTPS://${name}.Example./a`, 'url'), `https://${name}.example/a`);
  };
  const assertDoor = async (name: string): Promise<void> => {
    await assert.rejects(safeFetch.checkUrl(`http://${name}.example/a`, 'url'), { message: /^Use https/ });
    await assert.rejects(safeFetch.checkUrl(`https://${name}.example:81/a`, 'url'), { message: /443 or 8443/ });
  };
  await Promise.all(['new', 'known'].flatMap((name) => [check(name), assertDoor(name)]));
  for (const judging of [() => check('slow'), () => assertDoor('slow')]) {
    const judged = judging();
    let isJudged = false;
    void judged.finally(() => (isJudged = true));
    // A check for http and one for the port, one after the other: each is judged when its time is up.
    while (!isJudged) {
      await Promise.race([judged, clock.untilWaiting(1_500)]);
      clock.advance(1_500);
    }
    await judged;
  }
  assert.deepEqual(new Set(lookups), new Set(['new.example', 'slow.example', 'known.example']));
  const answer = await get(safeFetch, 'https://new.example/');
  assert.equal(answer.kind === 'failed' && answer.reason, 'name could not be resolved');
});
