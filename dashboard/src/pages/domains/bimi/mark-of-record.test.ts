import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markOfRecord } from './mark-of-record.ts';

test('the addresses of a logo are read from its record, also with = in them', () => {
  assert.deepEqual(
    markOfRecord({ value: 'v=BIMI1; l=https://acme.example/logo.svg?v=2; a=https://acme.example/mark.pem' }),
    { svgUrl: 'https://acme.example/logo.svg?v=2', certificateUrl: 'https://acme.example/mark.pem' },
  );
});
