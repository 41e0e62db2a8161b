import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  CLICK_SENDER_CHARS,
  clickSender,
  clickTarget,
  clickToken,
  clickTokenChars,
  openToken,
  readClickToken,
  readOpenToken,
} from './token.ts';

const key = Buffer.alloc(32, 1);
const email = { workspaceId: '0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11', emailId: 'ffffffff-ffff-7fff-bfff-ffffffffffff' };
const content = { workspaceId: email.workspaceId, contentId: '0197f500-0000-7000-8000-0000000000c1' };
const linked = { ...email, ...content };
const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

test('a token says what was put in, and is as long as it must be', () => {
  assert.deepEqual(readOpenToken(openToken(email, key), key), email);
  assert.equal(openToken(email, key).length, 60);
  fc.assert(
    fc.property(
      fc.uuid(),
      fc.uuid(),
      fc.uuid(),
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      (workspaceId, emailId, contentId, target) => {
        const token = clickToken({ workspaceId, emailId, contentId }, target, key);
        assert.match(token, /^[A-Za-z0-9_-]+$/);
        assert.equal(token.length, clickTokenChars(target));
        assert.deepEqual(readClickToken(token, key), {
          workspaceId,
          emailId,
          target,
          contentTail: contentId.slice(-12),
        });
      },
    ),
  );
});

test('a byte order mark at the start of a target stays', () => {
  assert.equal(readClickToken(clickToken(linked, '\ufeffx', key), key)?.target, '\ufeffx');
});

test('purposes cannot change places, though the bytes would fit', () => {
  assert.equal(readClickToken(openToken(email, key), key), undefined);
  assert.equal(readOpenToken(clickToken(linked, '', key), key), undefined);
  assert.equal(readOpenToken(clickToken(linked, 'https://example.com/', key), key), undefined);
});

test('a token of another key, or of a later version, is none', () => {
  assert.equal(readClickToken(clickToken(linked, 'https://a.test/', Buffer.alloc(32, 2)), key), undefined);
  const later = Buffer.from(clickToken(linked, 'https://a.test/', key), 'base64url').subarray(0, -12);
  later[0] = 0x32;
  const mac = createHmac('sha256', key).update(later).digest().subarray(0, 12);
  assert.equal(readClickToken(Buffer.concat([later, mac]).toString('base64url'), key), undefined);
});

test('no single character can be another, added or left out', () => {
  for (const token of [clickToken(linked, 'https://a.test/x', key), clickToken(linked, 'https://a.test/xy', key)]) {
    for (let at = 0; at <= token.length; at += 1) {
      for (const character of CHARACTERS) {
        const added = token.slice(0, at) + character + token.slice(at);
        assert.equal(readClickToken(added, key), undefined, added);
        const changed = token.slice(0, at) + character + token.slice(at + 1);
        if (changed !== token) assert.equal(readClickToken(changed, key), undefined, changed);
      }
      if (at < token.length) assert.equal(readClickToken(token.slice(0, at), key), undefined);
    }
  }
});

test('other spellings of the same bytes are none: padding, the other alphabet, white space', () => {
  const token = clickToken(linked, 'https://a.test/>>>???', key);
  assert.equal(readClickToken(token, key)?.target, 'https://a.test/>>>???');
  for (const other of [
    `${token}=`,
    `${token}==`,
    ` ${token}`,
    `${token}\n`,
    Buffer.from(token, 'base64url').toString('base64'),
    token.replaceAll('_', '/').replaceAll('-', '+'),
    token.toUpperCase(),
    `${token}%00`,
    `${token}\0`,
  ]) {
    if (other !== token) assert.equal(readClickToken(other, key), undefined, other);
  }
});

test('whatever comes in, nothing is thrown and nothing is believed', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...CHARACTERS.split('')), maxLength: 400 })),
      (text) => {
        assert.equal(readClickToken(text, key), undefined);
        assert.equal(readOpenToken(text, key), undefined);
      },
    ),
  );
  assert.equal(readClickToken('A'.repeat(10_000_000), key), undefined);
});

test('an id that is no UUID makes no token', () => {
  assert.throws(() => openToken({ ...email, emailId: 'x' }, key), /is no UUID/);
});

test('the part of the recipient is the same in all links, and that of the target in all emails', () => {
  const another = { ...linked, emailId: '0197f400-0000-7000-8000-000000000001' };
  const sender = clickSender(linked, key);
  assert.equal(sender.length, CLICK_SENDER_CHARS);
  for (const target of ['https://a.test/', 'https://b.test/ü']) {
    assert.equal(clickToken(linked, target, key), sender + clickTarget(content, target, key));
    assert.equal(clickToken(another, target, key), clickSender(another, key) + clickTarget(content, target, key));
  }
});

test('a target of another content or workspace, or one without a signature, fits no recipient', () => {
  const sender = clickSender(linked, key);
  const own = clickTarget(content, 'https://a.test/', key);
  assert.equal(readClickToken(sender + own, key)?.target, 'https://a.test/');
  const otherContent = { ...content, contentId: '0197f500-0000-7000-8000-0000000000c2' };
  const otherWorkspace = { ...content, workspaceId: '0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a12' };
  for (const other of [
    clickTarget(otherContent, 'https://a.test/', key),
    clickTarget(otherWorkspace, 'https://a.test/', key),
    Buffer.concat([Buffer.from('https://evil.test/'), Buffer.from(own, 'base64url').subarray(-12)]).toString(
      'base64url',
    ),
    // The signed bytes of an open or a recipient are no target.
    openToken(email, key),
    sender,
  ]) {
    assert.equal(readClickToken(sender + other, key), undefined, other);
  }
  assert.equal(readClickToken(sender, key), undefined);
  assert.equal(readClickToken(openToken(email, key) + own, key), undefined);
});

test('a link in mail from before November 2026 still leads where it led', () => {
  const oldToken = (target: string): string => {
    const ids = Buffer.from(`${email.workspaceId}${email.emailId}`.replaceAll('-', ''), 'hex');
    const payload = Buffer.concat([Buffer.of(0x12), ids, Buffer.from(target)]);
    const mac = createHmac('sha256', key).update(payload).digest().subarray(0, 12);
    return Buffer.concat([payload, mac]).toString('base64url');
  };
  const token = oldToken('https://a.test/?old=1');
  assert.deepEqual(readClickToken(token, key), { ...email, target: 'https://a.test/?old=1', contentTail: null });
  assert.equal(readClickToken(token, Buffer.alloc(32, 2)), undefined);
  for (let at = 0; at < token.length; at += 1) {
    const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
    assert.equal(readClickToken(changed, key), undefined, changed);
  }
});
