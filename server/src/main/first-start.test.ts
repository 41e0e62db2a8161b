import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RelayState } from '#features/smtp-relay';
import { loadSettings } from '#platform/config/settings.ts';
import type { Hold } from './fence/hold-reasons.ts';
import { sayStart } from './first-start.ts';

function linesOf(env: Record<string, string>, isFirst = true, relay?: RelayState, hold?: Hold): string {
  const lines: string[] = [];
  sayStart({
    say: (line) => lines.push(line),
    settings: loadSettings(env).settings,
    roles: ['api', 'worker'],
    url: 'http://127.0.0.1:3000',
    relay,
    hold,
    credentials: isFirst ? { email: 'ada@example.com', password: 'pass', apiKey: 'ph_live_key' } : null,
  });
  return lines.join('\n');
}

test('with captured mail, the first start shows a request that can be pasted, and where its mail is', () => {
  const lines = linesOf({});
  assert.match(lines, /nothing leaves this machine/);
  assert.match(lines, /Try it:\n\n {2}curl http:\/\/127\.0\.0\.1:3000\/v1\/send/);
  assert.match(lines, /"to":\["ada@example\.com"\]/);
  assert.match(lines, /\/v1\/captured-emails -H "Authorization: Bearer ph_live_key"/);
});

for (const [provider, name] of [
  ['smtp://user:secret@mail.example.com:587', 'the SMTP server'],
  ['ses://us-east-1', 'Amazon SES'],
] as const) {
  test(`with ${name}, the first start says that mail is sent, and shows no example that writes to a stranger`, () => {
    const lines = linesOf({ POSTHORN_PROVIDER_URL: provider, POSTHORN_SENDER_DOMAINS: 'example.org' });
    assert.ok(lines.includes(`Mail is sent through ${name}, at 12 recipients a second.`));
    assert.match(lines, /This example sends a real email\. Send one to your own address:/);
    assert.match(lines, /"from":"hello@example\.org","to":\["YOU@EXAMPLE\.COM"\]/);
    assert.doesNotMatch(lines, /ada@example\.com"\]|captured|nothing leaves|secret/);
  });
}

test('without a sender domain, the first start says that one is needed before real mail is sent', () => {
  const lines = linesOf({ POSTHORN_PROVIDER_URL: 'smtp://mail.example.com' });
  assert.match(
    lines,
    /Name your domain in POSTHORN_SENDER_DOMAINS and start again\. Then send one to your own address/,
  );
  assert.match(lines, /"from":"hello@YOUR-DOMAIN"/);
});

test('the start shows the address of the dashboard: the one set, this machine otherwise, and none where none is served', () => {
  const env = { POSTHORN_DASHBOARD_FILES: '/built' };
  assert.match(linesOf(env), /^The dashboard: http:\/\/127\.0\.0\.1:3000\/$/m);
  const elsewhere = { ...env, POSTHORN_PUBLIC_URL: 'https://mail.example.com' };
  assert.match(linesOf(elsewhere), /^The dashboard: https:\/\/mail\.example\.com\/$/m);
  for (const none of [{}, { POSTHORN_DASHBOARD_FILES: 'none' }]) assert.doesNotMatch(linesOf(none), /dashboard/);
});

test('a later start shows no credentials and no example', () => {
  assert.equal(linesOf({}, false).split('\n').length, 2);
});

test('the lines of the start say where the SMTP relay listens, and why it does not', () => {
  const at = (startTls: number | null, implicitTls: number | null) =>
    linesOf({}, false, { ports: { startTls, implicitTls }, hasOwnCertificate: true });
  assert.match(
    at(2587, 2465),
    /SMTP relay: 127\.0\.0\.1:2587 \(STARTTLS\), 127\.0\.0\.1:2465 \(TLS\); user apikey, password your API key/,
  );
  assert.match(at(null, 2465), /2465 \(TLS\).*; port 2587 is in use \(POSTHORN_SMTP_RELAY_PORT\)/);
  assert.match(at(null, null), /SMTP relay: not listening yet; port 2587 is in use/);
  assert.match(
    linesOf({ POSTHORN_HOST: '0.0.0.0' }, false, 'no certificate'),
    /On 0\.0\.0\.0 it needs POSTHORN_TLS_CERT/,
  );
  assert.doesNotMatch(linesOf({}, false, 'off'), /relay/);
  assert.doesNotMatch(linesOf({}), /relay/);
});

test('a start on a restored database says that nothing is sent, why, and the command that confirms', () => {
  const lines = linesOf({}, false, 'off', { since: new Date(), reason: 'went_back' });
  assert.match(lines, /SENDING IS HELD\. .*a backup was restored/);
  assert.match(lines, /npm start -- admin resume-sending/);
  assert.doesNotMatch(linesOf({}, false, 'off'), /HELD/);
});
