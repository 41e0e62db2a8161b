import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slugOf } from './slug.ts';

test('a slug has the letters of the name without their marks', () => {
  assert.equal(slugOf('Ångström & Söhne — Straße'), 'angstrom-sohne-strasse');
  assert.equal(slugOf('  Acme Weekly!  '), 'acme-weekly');
});

test('a slug has at most 63 characters and no hyphen at its ends', () => {
  const slug = slugOf(`${'a'.repeat(62)} b`);
  assert.equal(slug, 'a'.repeat(62));
});

test('a name without Latin letters makes no slug', () => {
  assert.equal(slugOf('日本語'), '');
});
