import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, sign as signBytes } from 'node:crypto';
import { test } from 'node:test';
import { createSecrets, type Secrets } from '#platform/crypto/secrets.ts';
import { newId } from '#platform/ids.ts';
import { type LinkClaims, type LinkPurpose, linkUrl, readLink, signLink } from './link-token.ts';

const secrets = createSecrets('a master key of thirty-two characters or more');
const NOW = new Date('2026-11-21T10:00:00.000Z');
const IAT = NOW.getTime() / 1_000;
const DAY = 86_400;
const PURPOSES: LinkPurpose[] = ['nl_confirm', 'nl_unsub', 'nl_prefs', 'nl_data'];
const claims: LinkClaims = { workspaceId: newId(), newsletterId: newId(), subscriberId: newId() };
const later = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);

const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const decode = (part: string | undefined): Record<string, unknown> => {
  const value: unknown = JSON.parse(Buffer.from(part ?? '', 'base64url').toString());
  return typeof value === 'object' && value !== null ? { ...value } : {};
};

/** Signed with the right key, whatever it says. */
function forge(
  purpose: LinkPurpose,
  payload: unknown,
  header: unknown = { alg: 'HS256', kid: secrets.masterId },
): string {
  const head = `${encode(header)}.${encode(payload)}`;
  const key = secrets.key(`newsletter-link:${purpose}`);
  return `${head}.${createHmac('sha256', key).update(head).digest('base64url')}`;
}

const payloadOf = async (purpose: LinkPurpose): Promise<Record<string, unknown>> =>
  decode((await signLink(secrets, purpose, claims, NOW)).split('.')[1]);

const refused = async (
  token: string,
  purpose: LinkPurpose = 'nl_unsub',
  now = NOW,
  by: Secrets = secrets,
): Promise<void> => assert.equal(await readLink(by, purpose, token, now), undefined, token.slice(0, 300));

for (const purpose of PURPOSES) {
  test(`${purpose}: what was signed is read again, whole`, async () => {
    const all = { ...claims, issueId: newId(), generation: 3 };
    const link = await readLink(secrets, purpose, await signLink(secrets, purpose, all, NOW), later(5));
    assert.ok(link);
    assert.match(link.tokenId, /^[A-Za-z0-9_-]{12}$/);
    assert.deepEqual(link, { ...all, tokenId: link.tokenId, issuedAt: NOW, isOver: false });
    const least = await readLink(secrets, purpose, await signLink(secrets, purpose, claims, NOW), NOW);
    assert.deepEqual(least, { ...claims, tokenId: least?.tokenId, issuedAt: NOW, isOver: false });
  });

  test(`${purpose}: serves no other purpose, neither as it is nor with the claim changed`, async () => {
    const token = await signLink(secrets, purpose, claims, NOW);
    for (const other of PURPOSES.filter((one) => one !== purpose)) {
      await refused(token, other);
      await refused(forge(purpose, { ...(await payloadOf(purpose)), p: other }), other);
      await refused(forge(other, await payloadOf(purpose)), other);
    }
  });
}

test('the claims are those written down, and a List-Unsubscribe header has room for the link', async () => {
  const token = await signLink(secrets, 'nl_unsub', { ...claims, issueId: newId(), generation: 0 }, NOW);
  const [header, payload] = token.split('.').slice(0, 2).map(decode);
  assert.deepEqual(header, { alg: 'HS256', kid: secrets.masterId });
  assert.deepEqual(Object.keys(payload ?? {}), ['p', 'w', 'n', 's', 'i', 'g', 'iat', 'jti']);
  assert.ok(`<${linkUrl('https://a-rather-long-name.example.com', 'nl_unsub', token)}>`.length < 435);
  assert.equal(linkUrl('https://x.test', 'nl_confirm', 'a.b.c'), 'https://x.test/api/n/confirm?token=a.b.c');
  assert.equal(linkUrl('https://x.test', 'nl_prefs', 'a.b.c'), 'https://x.test/api/n/preferences?token=a.b.c');
});

test('a link to confirm is good for 7 days to the second, and tells whose it was afterwards; others never expire', async () => {
  const token = await signLink(secrets, 'nl_confirm', claims, NOW);
  assert.equal((await readLink(secrets, 'nl_confirm', token, later(7 * DAY - 1)))?.isOver, false);
  const over = await readLink(secrets, 'nl_confirm', token, later(7 * DAY));
  assert.deepEqual([over?.isOver, over?.subscriberId], [true, claims.subscriberId]);
  const data = await signLink(secrets, 'nl_data', claims, NOW);
  assert.equal((await readLink(secrets, 'nl_data', data, later(DAY - 1)))?.isOver, false);
  assert.equal((await readLink(secrets, 'nl_data', data, later(DAY)))?.isOver, true);
  for (const purpose of ['nl_unsub', 'nl_prefs'] as const) {
    const old = await signLink(secrets, purpose, claims, NOW);
    assert.equal((await readLink(secrets, purpose, old, later(3_650 * DAY)))?.isOver, false);
  }
});

test('links outlive three changes of the master secret, while it is listed, and no longer', async () => {
  const words = ['first', 'second', 'third', 'fourth'].map(
    (word) => `the ${word} master key, of 32 characters or more`,
  );
  const [first = '', second = '', third = '', fourth = ''] = words;
  const tokens = await Promise.all(words.map((word) => signLink(createSecrets(word), 'nl_unsub', claims, NOW)));
  const now = createSecrets(fourth, [first, second, third]);
  for (const token of tokens)
    assert.equal((await readLink(now, 'nl_unsub', token, NOW))?.workspaceId, claims.workspaceId);
  const forgetful = createSecrets(fourth, [third]);
  await refused(tokens[0] ?? '', 'nl_unsub', NOW, forgetful);
  await refused(tokens[1] ?? '', 'nl_unsub', NOW, forgetful);
  assert.ok(await readLink(forgetful, 'nl_unsub', tokens[2] ?? '', NOW));
  // A previous secret reads: nothing new is signed with it.
  assert.equal(
    decode((await signLink(now, 'nl_unsub', claims, NOW)).split('.')[0]).kid,
    createSecrets(fourth).masterId,
  );
});

test('nothing but our algorithm: none in every spelling, other HMACs, public keys, and no third part', async () => {
  const payload = await payloadOf('nl_unsub');
  const kid = secrets.masterId;
  for (const alg of ['none', 'None', 'nOnE', 'NONE', '', 'hs256', 'HS512', 'HS384', null, 7, ['HS256']]) {
    await refused(forge('nl_unsub', payload, { alg, kid }));
    await refused(`${encode({ alg, kid })}.${encode(payload)}.`);
    await refused(`${encode({ alg, kid })}.${encode(payload)}`);
  }
  const head512 = `${encode({ alg: 'HS512', kid })}.${encode(payload)}`;
  const key = secrets.key('newsletter-link:nl_unsub');
  await refused(`${head512}.${createHmac('sha512', key).update(head512).digest('base64url')}`);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  for (const alg of ['RS256', 'PS256']) {
    const head = `${encode({ alg, kid })}.${encode(payload)}`;
    await refused(`${head}.${signBytes('sha256', Buffer.from(head), privateKey).toString('base64url')}`);
  }
  await refused(`${encode({ alg: 'ES256', kid })}.${encode(payload)}.${Buffer.alloc(64).toString('base64url')}`);
});

test('nothing in the header leads to another key', async () => {
  const payload = await payloadOf('nl_unsub');
  const { masterId: kid } = secrets;
  const strangers = [
    '../../dev/null',
    "x' or '1'='1",
    '',
    '__proto__',
    'constructor',
    kid.toLowerCase(),
    `${kid} `,
    null,
    1,
  ];
  for (const other of strangers.filter((one) => one !== kid))
    await refused(forge('nl_unsub', payload, { alg: 'HS256', kid: other }));
  await refused(forge('nl_unsub', payload, { alg: 'HS256' }));
  const extras: Record<string, unknown>[] = [
    { jwk: { kty: 'oct', k: encode('x') } },
    { jku: 'http://127.0.0.1:59999/' },
    { x5u: 'http://127.0.0.1:59999/' },
    { crit: ['b64'], b64: false },
    { typ: 'JWT' },
  ];
  for (const extra of extras) await refused(forge('nl_unsub', payload, { alg: 'HS256', kid, ...extra }));
  for (const header of ['null', '[]', '"x"', '{', '']) await refused(forge('nl_unsub', payload, header));
  // An empty key is what a lookup that failed might end up with.
  const head = `${encode({ alg: 'HS256', kid: 'AAAAAAAA' })}.${encode(payload)}`;
  await refused(`${head}.${createHmac('sha256', '').update(head).digest('base64url')}`);
});

test('a link of which anything was edited is none', async () => {
  const token = await signLink(secrets, 'nl_unsub', claims, NOW);
  const [header, , signature] = token.split('.');
  const edited = { ...(await payloadOf('nl_unsub')), s: encode(Buffer.alloc(16, 1).toString('latin1')) };
  await refused(`${header}.${encode(edited)}.${signature}`);
  for (let index = 0; index < token.length; index += 1) {
    const other = token[index] === 'A' ? 'B' : 'A';
    await refused(token.slice(0, index) + other + token.slice(index + 1));
  }
});

test('one spelling only: no padding, other alphabet, spaces, trailing dot or loose last bits', async () => {
  const token = await signLink(secrets, 'nl_unsub', claims, NOW);
  const [header = '', payload = '', signature = ''] = token.split('.');
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(signature.at(-1) ?? '');
  // 43 characters hold 258 bits, a signature has 256: four last characters decode to the same bytes.
  const loose = `${header}.${payload}.${signature.slice(0, -1)}${alphabet[last ^ 1]}`;
  const same = Buffer.from(loose.split('.')[2] ?? '', 'base64url');
  assert.deepEqual(same, Buffer.from(signature, 'base64url'));
  await refused(loose);
  const spellings = [
    `${token}=`,
    `${header}=.${payload}.${signature}`,
    `${header}.${payload}==.${signature}`,
    ` ${token}`,
    `${token} `,
    `${token}\n`,
    `${token}.`,
    `.${token}`,
    `${header}..${signature}`,
    `${header}.${payload}.`,
    `.${payload}.${signature}`,
    `${header}.${payload}`,
    header,
    '',
    '.',
    '..',
    `${token}${token}`,
    'x'.repeat(8_192),
    `${header}.${'A'.repeat(8_192)}.${signature}`,
  ];
  for (const spelling of spellings) await refused(spelling);
  for (let tries = 0; tries < 200; tries += 1) {
    const other = await signLink(secrets, 'nl_unsub', claims, NOW);
    if (!/[-_]/.test(other)) continue;
    await refused(other.replaceAll('-', '+').replaceAll('_', '/'));
    return;
  }
  assert.fail('no link had a character of the URL alphabet');
});

test('times that are no whole seconds, are missing or lie ahead make no link, though our key signed them', async () => {
  const good = await payloadOf('nl_confirm');
  await readLink(secrets, 'nl_confirm', forge('nl_confirm', good), NOW);
  const bad: Record<string, unknown>[] = [
    { exp: `${IAT + DAY}` },
    { exp: IAT + DAY + 0.5 },
    { exp: -1 },
    { exp: null },
    { exp: undefined },
    { exp: 9e99 },
    { iat: undefined },
    { iat: `${IAT}` },
    { iat: IAT + 0.5 },
    { iat: IAT + 61 },
    { nbf: IAT + DAY },
    { nbf: IAT },
    { jti: undefined },
    { jti: 'x' },
    { g: -1 },
    { g: 0.5 },
    { g: '0' },
    { w: undefined },
    { n: claims.newsletterId },
    { s: `${encode('0123456789abcdef')}A` },
    { i: '' },
    { p: undefined },
    { p: ['nl_confirm'] },
  ];
  for (const change of bad) await refused(forge('nl_confirm', { ...good, ...change }), 'nl_confirm');
  const infinite = JSON.stringify({ ...good, exp: 0 }).replace('"exp":0', '"exp":1e400');
  await refused(forge('nl_confirm', infinite), 'nl_confirm');
  for (const payload of ['null', '[]', '1', '{', '']) await refused(forge('nl_confirm', payload), 'nl_confirm');
  // Servers' clocks differ: a link from up to a minute ahead is a link.
  await readLink(secrets, 'nl_confirm', forge('nl_confirm', { ...good, iat: IAT + 60 }), NOW);
});
