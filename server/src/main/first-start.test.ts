import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadSettings } from '#platform/config/settings.ts';
import { sayStart } from './first-start.ts';

function linesOf(env: Record<string, string>, isFirst = true): string {
  const lines: string[] = [];
  sayStart({
    say: (line) => lines.push(line),
    settings: loadSettings(env).settings,
    roles: ['api', 'worker'],
    url: 'http://127.0.0.1:3000',
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

test('a later start shows no credentials and no example', () => {
  assert.equal(linesOf({}, false).split('\n').length, 2);
});
