import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { differenceOf, shortened } from './difference.ts';
import { spfChange } from './spf-change.ts';

test('a cut key differs at its end only', () => {
  const wanted = `v=DKIM1; k=rsa; p=${'A'.repeat(390)}QAB`;
  assert.deepEqual(differenceOf(wanted.slice(0, 255), wanted), {
    before: wanted.slice(0, 255),
    found: '',
    wanted: wanted.slice(255),
    after: '',
  });
});

test('the parts of a difference make both texts again', () => {
  const text = fc.string({ maxLength: 12, unit: fc.constantFrom('a', 'b', '"') });
  fc.assert(
    fc.property(text, text, (found, wanted) => {
      const parts = differenceOf(found, wanted);
      assert.equal(parts.before + parts.found + parts.after, found);
      assert.equal(parts.before + parts.wanted + parts.after, wanted);
    }),
  );
});

test('a long text is cut in the middle, and says by how much', () => {
  assert.equal(shortened('short'), 'short');
  assert.match(shortened(`${'a'.repeat(200)}${'b'.repeat(200)}`), /^a{48} … 304 characters … b{48}$/);
});

test('the terms of an SPF record are new unless one of the records that stand there has them', () => {
  const terms = spfChange(
    'v=spf1 include:a.example -all\nv=spf1 INCLUDE:b.example ~all',
    'v=spf1 include:a.example include:b.example include:amazonses.com -all',
  );
  assert.deepEqual(
    terms.filter(({ isNew }) => isNew).map(({ text }) => text),
    ['include:amazonses.com'],
  );
});
