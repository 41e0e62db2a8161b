import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatVerp, parseVerp } from './verp.ts';

const key = Buffer.alloc(32, 1);
const of = { workspaceId: '0197f500-0000-7000-8000-000000000001', emailId: '0197f500-0000-7000-8000-00000000000f' };
const local = formatVerp(of, key);

test('a return path is 64 characters that no server has to quote, and the same every time', () => {
  assert.equal(local, 'bagl7kaaaabyabaaaaaaaaaaaaeazp5iaaaahaaeaaaaaaaaaaah2cxxtbq2nmki');
  assert.match(local, /^b[a-z2-7]{63}$/);
  assert.equal(formatVerp(of, key), local);
});

test('the tag is HMAC-SHA256 over the version and both ids', () => {
  const ids = Buffer.from((of.workspaceId + of.emailId).replaceAll('-', ''), 'hex');
  const tag = createHmac('sha256', key).update('b').update(ids).digest('hex').slice(0, 14);
  const bits = local
    .slice(1)
    .split('')
    .map((c) => 'abcdefghijklmnopqrstuvwxyz234567'.indexOf(c).toString(2).padStart(5, '0'));
  const hex = BigInt(`0b${bits.join('').slice(0, 312)}`)
    .toString(16)
    .padStart(78, '0');
  assert.equal(hex, ids.toString('hex') + tag);
});

test('every email has its own return path, and any case of it is read back', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), fc.infiniteStream(fc.boolean()), (workspaceId, emailId, dice) => {
      const made = formatVerp({ workspaceId, emailId }, key);
      const shouted = made
        .split('')
        .map((char) => (dice.next().value ? char.toUpperCase() : char))
        .join('');
      assert.deepEqual(parseVerp(shouted, key), { workspaceId, emailId });
    }),
  );
});

test('no character can be changed', () => {
  for (let index = 0; index < local.length; index += 1) {
    for (const char of 'abcdefghijklmnopqrstuvwxyz234567') {
      if (char === local[index]) continue;
      assert.equal(parseVerp(local.slice(0, index) + char + local.slice(index + 1), key), null, `${index} ${char}`);
    }
  }
});

const foreign: Record<string, string> = {
  nothing: '',
  'a person': 'postmaster',
  'one character less': local.slice(0, -1),
  'one character more': `${local}a`,
  'a space before it': ` ${local}`,
  'a line after it': `${local}\n`,
  'a label': `${local}+x`,
  'another version': `c${local.slice(1)}`,
  'the other email of two return paths':
    local.slice(0, 27) + formatVerp({ ...of, emailId: of.workspaceId }, key).slice(27, 53) + local.slice(53),
  'digits base32 does not have': local.replaceAll('a', '0'),
  'letters that are lower-cased to ours': local.replace('l7k', 'l7\u212a'),
  'a NUL': local.replace('aaa', 'a\0a'),
  'a megabyte': 'a'.repeat(1_000_000),
};
for (const [what, text] of Object.entries(foreign))
  test(`no return path: ${what}`, () => {
    assert.notEqual(text, local);
    assert.equal(parseVerp(text, key), null);
  });

test('a return path of another key names nothing', () => {
  assert.equal(parseVerp(local, randomBytes(32)), null);
  assert.equal(parseVerp(formatVerp(of, Buffer.alloc(32, 2)), key), null);
});

test('ids that are none are our mistake', () => {
  assert.throws(() => formatVerp({ workspaceId: 'x', emailId: of.emailId }, key), /is no UUID/);
});
