/** A service that verifies proofs, as Turnstile and hCaptcha do, and all that asks it. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { text } from 'node:stream/consumers';
import type { TestApp } from '../../../../../test/harness/app.ts';
import { createTestClock } from '../../../../../test/harness/test-clock.ts';
import { inTransaction } from '#platform/db/database.ts';
import { openSafeFetch } from '#platform/safe-fetch/test-kit.ts';
import type { Newsletter } from '../../newsletter.ts';
import { pageContext } from '../pages/page-context.ts';
import { embedPage } from '../pages/subscribe-page.ts';
import { aPublicApp, mailsTo, newsletterOf, rowOf, sendForm, subscribe, visit } from '../test-kit.ts';
import { requireProof } from './require-proof.ts';

const SECRET = 'the-secret-of-the-service';
const FIELD = 'cf-turnstile-response';
const CLOUDFLARE = 'https://challenges.cloudflare.com';

let service: Server;
let serviceUrl: string;
/** Every form that the service received. */
const asked: Record<string, string>[] = [];
/** Its next answers in place of a verdict; undefined destroys the connection. */
let failing: { status: number; body: string } | undefined | null = null;
let app: TestApp;
let newsletter: Newsletter;

const verdictOn = ({ secret, response }: Record<string, string>): object => {
  if (secret !== SECRET) return { success: false, 'error-codes': ['invalid-input-secret'] };
  if (response === 'human') return { success: true, hostname: 'app.example.com' };
  return { success: false, 'error-codes': ['invalid-input-response'] };
};

before(async () => {
  service = createServer(async (request, response) => {
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    asked.push(form);
    if (failing === undefined) return void request.socket.destroy();
    response.statusCode = failing?.status ?? 200;
    response.end(failing?.body ?? JSON.stringify(verdictOn(form)));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  serviceUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}/siteverify`; // it listens on TCP
  app = await aPublicApp({
    POSTHORN_HUMAN_PROOF: 'turnstile',
    POSTHORN_HUMAN_PROOF_SITE_KEY: '0x4AAAAAAA',
    POSTHORN_HUMAN_PROOF_SECRET: SECRET,
    POSTHORN_HUMAN_PROOF_URL: serviceUrl,
  });
  newsletter = await newsletterOf(app, { slug: 'proven' });
});
after(async () => {
  await app.close();
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
});

/** Nothing of the address is there, and no email went to it. */
async function assertNothingOf(email: string): Promise<void> {
  assert.equal(await rowOf(app, newsletter, email), undefined);
  assert.equal(await mailsTo(app, email), 0);
}

test('200 with a proof that the service accepts, as JSON and as a form; it is told the proof and no address', async () => {
  asked.length = 0;
  const json = await subscribe(app, 'proven', { email: 'json@proof.example', [FIELD]: 'human' });
  assert.equal(json.status, 200, json.text);
  const page = await sendForm(app, '/api/n/proven/subscribe', `email=form%40proof.example&${FIELD}=human`);
  assert.match(page.text, /Check your inbox/);
  for (const email of ['json@proof.example', 'form@proof.example']) {
    assert.equal((await rowOf(app, newsletter, email))?.status, 'pending');
    assert.equal(await mailsTo(app, email), 1);
  }
  assert.deepEqual(asked, Array(2).fill({ secret: SECRET, response: 'human' }));
});

test('400 without a proof, 422 with one that the service refuses; nothing is stored or sent', async () => {
  const email = 'robot@proof.example';
  asked.length = 0;
  for (const missing of [{}, { [FIELD]: '' }, { [FIELD]: null }, { 'h-captcha-response': 'human' }]) {
    const answer = await subscribe(app, 'proven', { email, ...missing });
    assert.partialDeepStrictEqual([answer.status, answer.body], [400, { name: 'validation_error', param: FIELD }]);
  }
  assert.deepEqual(asked, [], 'nobody is asked about nothing');
  const refused = await subscribe(app, 'proven', { email, [FIELD]: 'used' });
  assert.partialDeepStrictEqual([refused.status, refused.body], [422, { name: 'validation_error', param: FIELD }]);
  const long = await subscribe(app, 'proven', { email, [FIELD]: 'x'.repeat(8_193) });
  assert.partialDeepStrictEqual([long.status, long.body], [400, { param: FIELD }]);
  await assertNothingOf(email);
});

test('a form of another site without a proof leads to our form, which asks for it and keeps what was typed', async () => {
  for (const fields of ['', `&${FIELD}=used`]) {
    const page = await sendForm(app, '/api/n/proven/subscribe', `email=typed%40proof.example${fields}`);
    assert.equal(page.status, 400);
    assert.match(page.text, /Confirm that you are a person/);
    assert.match(page.text, /value="typed@proof\.example"/);
    assert.match(page.text, /class="cf-turnstile" data-sitekey="0x4AAAAAAA"/);
  }
  await assertNothingOf('typed@proof.example');
});

test('503 while the service fails, breaks off or answers nonsense: nobody signs up, and the log says why', async () => {
  const email = 'waits@proof.example';
  const failures = [undefined, { status: 500, body: 'oops' }, { status: 200, body: '[]' }, { status: 302, body: '' }];
  const ours = { status: 200, body: JSON.stringify({ success: false, 'error-codes': ['invalid-input-secret'] }) };
  for (const how of [...failures, ours]) {
    failing = how;
    app.logged.length = 0;
    const answer = await subscribe(app, 'proven', { email, [FIELD]: 'human' });
    assert.partialDeepStrictEqual([answer.status, answer.body], [503, { name: 'service_unavailable_error' }]);
    assert.match(app.logged.join('\n'), /a proof could not be verified/);
    assert.ok(!app.logged.join('\n').includes(SECRET));
    const page = await sendForm(app, '/api/n/proven/subscribe', `email=waits%40proof.example&${FIELD}=human`);
    assert.equal(page.status, 503);
    assert.doesNotMatch(page.text, /the-secret/);
  }
  failing = null;
  await assertNothingOf(email);
});

test('503 three seconds after a service that hangs was asked; it is never asked in a transaction', async (t) => {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  const silent = createServer(() => resolve());
  await new Promise<void>((listens) => silent.listen(0, '127.0.0.1', listens));
  t.after(() => silent.closeAllConnections());
  t.after(() => silent.close());
  const humanProofUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`; // it listens on TCP
  const warned: unknown[] = [];
  // A log of which only this is used.
  const log = { warn: (said: unknown) => warned.push(said) } as unknown as Parameters<typeof requireProof>[0]['log'];
  const clock = createTestClock({ held: true });
  const ports = { settings: { ...app.settings, humanProofUrl }, log, safeFetch: openSafeFetch(t, { clock }) };
  const refused = assert.rejects(requireProof(ports, { [FIELD]: 'human' }), { name: 'service_unavailable_error' });
  await clock.untilWaiting(3_000);
  await reached;
  clock.advance(3_000);
  await refused;
  assert.deepEqual(warned, [{ service: 'turnstile', reason: 'timed out after 3 s while waiting for the answer' }]);
  const within = inTransaction(app.db, () => requireProof(ports, { [FIELD]: 'human' }));
  await assert.rejects(within, /in a transaction: it would hold a connection/);
});

test('hCaptcha is asked by the same protocol, with its own field', async (t) => {
  const settings = { ...app.settings, humanProof: 'hcaptcha' } as const;
  const ports = { settings, log: {} as never, safeFetch: openSafeFetch(t) };
  asked.length = 0;
  await requireProof(ports, { 'h-captcha-response': 'human' });
  assert.deepEqual(asked, [{ secret: SECRET, response: 'human' }]);
  const param = 'h-captcha-response';
  await assert.rejects(requireProof(ports, { [FIELD]: 'human' }), { extras: { param } });
  await assert.rejects(requireProof(ports, { [param]: 'used' }), { extras: { param, unacceptable: true } });
});

test('the form allows the script and the frame of its service and of no other; other pages run none', async () => {
  const policyOf = (headers: Record<string, unknown>): string => String(headers['content-security-policy']);
  for (const url of ['/n/proven', '/n/proven/embed', '/n/proven/embed?layout=line']) {
    const { text: page, headers } = await visit(app, url);
    assert.match(page, /<script src="https:\/\/challenges\.cloudflare\.com\/turnstile\/v0\/api\.js" async defer>/);
    assert.match(policyOf(headers), new RegExp(`script-src ('sha256-[^ ]+' )?${CLOUDFLARE}; frame-src ${CLOUDFLARE};`));
    assert.doesNotMatch(policyOf(headers), /hcaptcha|unsafe/);
    assert.doesNotMatch(page, /the-secret/);
  }
  for (const url of ['/n/proven/archive', '/n/proven/check-inbox', '/n/proven/subscribed']) {
    const { text: page, headers } = await visit(app, url);
    assert.doesNotMatch(page + policyOf(headers), /<script|cloudflare|script-src|<form[^>]*subscribe"/);
  }
  assert.match((await visit(app, '/n/proven/archive')).text, /<a class="row" href="\/n\/proven">Subscribe</);
  const settings = { dashboardUrl: 'https://app.example.com', humanProof: 'hcaptcha', humanProofSiteKey: 'k' } as const;
  const german = pageContext(settings, { ...newsletter, language: 'de' });
  const { body, headers } = embedPage(german, { fillTime: 'now' }, { layout: 'full', theme: 'dark' });
  assert.match(String(body), /class="h-captcha" data-sitekey="k" data-language="de" data-theme="dark"/);
  assert.match(String(body), /<script src="https:\/\/js\.hcaptcha\.com\/1\/api\.js\?hl=de"/);
  assert.match(
    policyOf(headers),
    /script-src 'sha256-[^ ]+' https:\/\/hcaptcha\.com https:\/\/\*\.hcaptcha\.com; frame-src/,
  );
  assert.doesNotMatch(policyOf(headers), /cloudflare|unsafe/);
});

test('200 with the service and its site key for a form of your own, and never the secret', async () => {
  const { body, text: json } = await app.request({ url: '/api/n/proven', key: null });
  assert.partialDeepStrictEqual(body, { human_proof: { service: 'turnstile', site_key: '0x4AAAAAAA' } });
  assert.doesNotMatch(json, /the-secret/);
});
