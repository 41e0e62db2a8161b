import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readUrl, type Target } from './read-url.ts';

const reasonFor = (url: string): string => {
  const read = readUrl(url);
  return 'reason' in read ? read.reason : `accepted as ${read.href}`;
};
const accepted = (url: string): Target => {
  const read = readUrl(url);
  return 'reason' in read ? assert.fail(`${url}: ${read.reason}`) : read;
};

const REFUSED: Record<string, string[]> = {
  'URL is not valid': [
    '',
    '/path',
    '//127.0.0.1',
    'example.com',
    'http://',
    'https://',
    'https:///example.com',
    'https:example.com',
    'http:127.0.0.1',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'gopher://example.com',
    'ws://example.com',
    'data:text/html,x',
    'https://[example.com]',
    'https://[::1',
    'https://[fe80::1%25eth0]/',
    'https://example.com:80%2f',
    'https://example.com:80:80',
    'https://example.com:65536',
    'https://example.com:port',
    'https://256.256.256.256',
    'https://1.2.3.4.5',
    'https://0x7f.1.example.1',
    'https://exa<mple.com',
    'https://%zz.com',
    'https://?x',
  ],
  'URL contains a space or control character': [
    ' ',
    ' https://example.com',
    'https://example.com ',
    'https://example.com/a b',
    'https://exam\tple.com',
    'https://example.com/\r\nHost: evil',
    'https://example.com/\n',
    'https://example.com/\0',
    'https://example.com/\x7f',
    'https://example.com/\u0085',
    'https://example.com/\u2028',
    'https://example.com\u00a0',
    'https://example.com\ufeff',
    'ht\ntps://example.com',
  ],
  'URL contains a line break': ['https://x/%0d%0aHost:evil', 'https://x/%0A', 'https://x/?a=%0D'],
  'URL contains a backslash': ['https://127.0.0.1\\@example.com', 'https:\\\\127.0.0.1', 'https://example.com/a\\b'],
  'URL contains a fragment': ['https://example.com/#x', 'https://example.com#@127.0.0.1/'],
  'URL contains a user name or password': [
    'https://example.com@127.0.0.1',
    'https://user:pw@host.example',
    'https://@example.com',
    'https://:@example.com',
  ],
  'host name is not valid': [
    `https://${'a'.repeat(64)}.example`,
    `https://${'a.'.repeat(130)}example`,
    'https://example..com',
    'https://.example.com',
    'https://example.com..',
    'https://-a.example',
    'https://a-.example',
    'https://*.example.com',
    "https://exa'mple.com",
    'https://a;b.example',
    'https://$host.example',
  ],
  'URL is too long': [`https://example.com/${'a'.repeat(2_048)}`, `https://example.com/${'é'.repeat(400)}`],
};

for (const [reason, urls] of Object.entries(REFUSED)) {
  test(`refused: ${reason}`, () => {
    for (const url of urls) assert.equal(reasonFor(url), reason, JSON.stringify(url.slice(0, 80)));
  });
}

test('accepted URLs have one form', () => {
  const forms: Record<string, string> = {
    'HTTPS://EXAMPLE.com': 'https://example.com/',
    'https://example.com:443/a/../b?c=d': 'https://example.com/b?c=d',
    'https://example.com.:8443/x': 'https://example.com:8443/x',
    'https://bücher.example/ü?ü': 'https://xn--bcher-kva.example/%C3%BC?%C3%BC',
    'https://a_b.example/': 'https://a_b.example/',
    'https://example.com?a': 'https://example.com/?a',
    'https://example.com/a@b': 'https://example.com/a@b',
    'https://[2606:4700:0:0::1]/': 'https://[2606:4700::1]/',
    [`https://example.com/${'a'.repeat(2_028)}`]: `https://example.com/${'a'.repeat(2_028)}`,
  };
  for (const [text, href] of Object.entries(forms)) assert.equal(accepted(text).href, href);
});

test('a host is read as the one that is reached', () => {
  const hosts: Record<string, string> = {
    'http://①②⑦.⓪.⓪.①': '127.0.0.1',
    'http://127。0。0。1': '127.0.0.1',
    'http://0x7f.1': '127.0.0.1',
    'http://2130706433': '127.0.0.1',
    'http://0177.0.0.1': '127.0.0.1',
    'http://127.1': '127.0.0.1',
    'http://%31%32%37.0.0.1': '127.0.0.1',
    'http://LOCALHOST.': 'localhost',
    'http://ｌｏｃａｌｈｏｓｔ': 'localhost',
    'http://[::ffff:127.0.0.1]': '::ffff:7f00:1',
  };
  for (const [url, host] of Object.entries(hosts)) assert.equal(accepted(url).host, host, url);
});

test('a request has a path, a port and no more', () => {
  const { origin, path, port, secure } = accepted('https://example.com:8443/a?b=c');
  assert.deepEqual([origin, path, port, secure], ['https://example.com:8443', '/a?b=c', 8_443, true]);
  assert.deepEqual([accepted('http://x.example').port, accepted('http://x.example').secure], [80, false]);
});

test('only one spelling is a door of development', () => {
  for (const url of ['http://127.0.0.1:1024', 'https://localhost:65535/a', 'http://localhost:3001?x']) {
    assert.equal(accepted(url).isPlainLoopback, true, url);
  }
  const others = ['http://127.0.0.1', 'http://127.0.0.1:1023', 'http://localhost:80/', 'http://127.1:4000'];
  others.push('http://LOCALHOST:4000', 'http://localhost.:4000', 'http://2130706433:4000', 'http://[::1]:4000');
  others.push('http://127.0.0.2:4000', 'http://0x7f.0.0.1:4000', 'http://a.localhost:4000', 'http://localhost:04000');
  others.push('HTTP://localhost:4000', 'http://127。0。0。1:4000', 'http://localhost.example:4000');
  for (const url of others) assert.equal(accepted(url).isPlainLoopback, false, url);
});
