import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProviderUrl } from './parse-provider-url.ts';

const configOf = (text: string) => {
  const parsed = parseProviderUrl(text);
  assert.ok(parsed.ok, `${text}: ${parsed.ok ? '' : parsed.faults.join('; ')}`);
  return parsed.config;
};
const faultsOf = (text: string): string[] => {
  const parsed = parseProviderUrl(text);
  assert.ok(!parsed.ok, `${text} was taken`);
  return parsed.faults;
};

test('capture: is the provider that keeps everything', () => {
  assert.deepEqual(configOf('capture:'), { kind: 'capture' });
  assert.deepEqual(configOf('capture://'), { kind: 'capture' });
  assert.match(faultsOf('capture:elsewhere').join(), /nothing after the colon/);
});

test('smtp:// to another machine is encrypted by STARTTLS unless the operator says otherwise', () => {
  assert.deepEqual(configOf('smtp://ann:s%40cret%2F%3A@mail.example.com'), {
    kind: 'smtp',
    host: 'mail.example.com',
    port: 587,
    tls: 'starttls',
    auth: { user: 'ann', pass: 's@cret/:' },
    connections: 10,
    messagesPerConnection: 500,
    ehloName: null,
  });
  for (const tls of ['auto', 'starttls', 'none'])
    assert.partialDeepStrictEqual(configOf(`smtp://mail.example.com?tls=${tls}`), { tls });
});

test('smtp:// to this machine needs no TLS', () => {
  for (const host of ['localhost', '127.0.0.1', '127.8.9.10', '[::1]'])
    assert.partialDeepStrictEqual(configOf(`smtp://${host}:2525`), { tls: 'none', port: 2525, auth: null });
  assert.partialDeepStrictEqual(configOf('smtp://localhost.example.com'), { tls: 'starttls' });
});

test('smtps:// is encrypted from the first byte, on port 465', () => {
  const config = configOf('smtps://u:p@[2001:db8::1]?connections=20&messages=100&name=out.example.com');
  assert.partialDeepStrictEqual(config, { host: '2001:db8::1', port: 465, tls: 'implicit', connections: 20 });
  assert.partialDeepStrictEqual(config, { messagesPerConnection: 100, ehloName: 'out.example.com' });
});

test('ses:// names a region, and its options have sensible values without being given', () => {
  assert.deepEqual(configOf('ses://us-east-1'), {
    kind: 'ses',
    region: 'us-east-1',
    configurationSet: null,
    connections: 50,
  });
  assert.partialDeepStrictEqual(configOf('ses://eu-central-1/?configurationSet=post_horn-1&connections=5'), {
    configurationSet: 'post_horn-1',
    connections: 5,
  });
  for (const region of ['us-gov-west-1', 'cn-northwest-1', 'ap-southeast-5', 'us-iso-east-1', 'AF-SOUTH-1'])
    assert.partialDeepStrictEqual(configOf(`ses://${region}`), { region: region.toLowerCase() });
});

test('every fault of a ses:// URL is named at once', () => {
  const faults = faultsOf('ses://virginia:443/x?configurationSet=a%20b&connections=0&pool=4&connections=1#f');
  for (const word of ['region', 'port', 'path', 'fragment', '"pool"', '"configurationSet"', '"connections"'])
    assert.ok(
      faults.some((fault) => fault.includes(word)),
      `${word} is missing in ${faults.join('; ')}`,
    );
  assert.match(faultsOf('ses://').join(), /region/);
  assert.match(faultsOf('ses:us-east-1').join(), /cannot be read/);
  for (const region of ['email.us-east-1.amazonaws.com', 'us-east', '127.0.0.1', 'us-east-1a'])
    assert.match(faultsOf(`ses://${region}`).join(), /no AWS region/);
});

test('credentials in a ses:// URL are refused with a word on where they belong, and never repeated', () => {
  const secret = 'wJalrXUtnFEMI';
  for (const url of [
    `ses://AKIAEXAMPLE:${secret}@us-east-1`,
    `ses://AKIAEXAMPLE@us-east-1?x=${secret}`,
    `ses://us-east-1?accessKeyId=AKIAEXAMPLE&secretAccessKey=${secret}`,
    `ses://us-east-1?${secret}@x`,
  ]) {
    const faults = faultsOf(url);
    assert.match(faults.join(), /AWS_ACCESS_KEY_ID/);
    assert.ok(!faults.join().includes(secret), faults.join());
  }
  for (const url of [`ses://AKIAEXAMPLE:${secret}/K7@us-east-1`, `ses://AKIAEXAMPLE:12/${secret}@us-east-1`])
    assert.ok(!faultsOf(url).join().includes(secret));
});

test('every fault of a URL is named at once', () => {
  const faults = faultsOf('smtp://ann@mail.example.com/path?tls=maybe&pool=4&connections=0&name=a%20b&messages=x#f');
  for (const word of ['path', 'fragment', 'together', '"pool"', '"tls"', '"connections"', '"name"', '"messages"'])
    assert.ok(
      faults.some((fault) => fault.includes(word)),
      `${word} is missing in ${faults.join('; ')}`,
    );
  assert.match(faultsOf('smtps://mail.example.com?tls=none').join(), /always encrypted/);
  assert.match(faultsOf('smtp://mail.example.com?tls=none&tls=auto').join(), /twice/);
  assert.match(faultsOf('mail.example.com').join(), /no scheme/);
  assert.match(faultsOf('http://mail.example.com').join(), /unknown scheme/);
  assert.match(faultsOf('smtp://').join(), /host/);
});

test('no fault repeats the password, however the URL is broken', () => {
  const secret = 'hunter2secret';
  for (const url of [
    `smtp://ann:${secret}@`,
    `smtp://ann:${secret}/x@mail.example.com:587`,
    `smtp://ann:${secret}#x@mail.example.com`,
    `smtp://ann:${secret}?x@mail.example.com`,
    `smtp://ann:${secret}%zz@mail.example.com`,
    `smtp://ann:${secret}@mail.example.com:99999`,
    `smtp://ann:${secret}@mail example.com`,
    `smtp:ann:${secret}@mail.example.com`,
    `foo://ann:${secret}@mail.example.com`,
    `ann:${secret}@mail.example.com`,
    `${secret}`,
    `${secret}:x`,
    `smtp://ann:25?${secret}=1@mail.example.com`,
  ]) {
    for (const fault of faultsOf(url)) assert.ok(!fault.includes(secret), fault);
  }
});
