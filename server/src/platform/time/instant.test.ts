import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseInstant } from './instant.ts';

const READ: readonly [text: string, at: string][] = [
  ['2026-12-01T09:00:00Z', '2026-12-01T09:00:00.000Z'],
  ['2026-12-01T09:00Z', '2026-12-01T09:00:00.000Z'],
  ['2026-12-01T09:00+01:00', '2026-12-01T08:00:00.000Z'],
  ['2026-12-01t09:00:00z', '2026-12-01T09:00:00.000Z'],
  ['2026-12-01T09:00:00-00:00', '2026-12-01T09:00:00.000Z'],
  ['2026-12-01T09:00:00+00:00', '2026-12-01T09:00:00.000Z'],
  ['2026-12-01T09:00:00+05:45', '2026-12-01T03:15:00.000Z'],
  ['2026-12-01T09:00:00-02:30', '2026-12-01T11:30:00.000Z'],
  ['2026-12-01T09:00:00+14:00', '2026-11-30T19:00:00.000Z'],
  ['2026-12-01T09:00:00-12:00', '2026-12-01T21:00:00.000Z'],
  ['2026-12-01T09:00:00.1Z', '2026-12-01T09:00:00.100Z'],
  ['2026-12-01T09:00:00.123Z', '2026-12-01T09:00:00.123Z'],
  ['2026-12-01T09:00:00.123999999Z', '2026-12-01T09:00:00.123Z'],
  ['2026-12-01T23:59:59.999999999Z', '2026-12-01T23:59:59.999Z'],
  ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['0099-12-31T23:59:59Z', '0099-12-31T23:59:59.000Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
];

for (const [text, at] of READ) {
  test(`${text} is read`, () => assert.equal(parseInstant(text)?.toISOString(), at));
}

for (const text of [
  '2026-02-30T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '2100-02-29T00:00:00Z',
  '2026-04-31T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-00-01T00:00:00Z',
  '2026-01-00T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T25:00:00Z',
  '2026-01-01T23:60:00Z',
  '2026-12-31T23:59:60Z',
  '2026-01-01T00:00:00+24:00',
  '2026-01-01T00:00:00+15:00',
  '2026-01-01T00:00:00+00:60',
  '2026-01-01T00:00:00',
  '2026-01-01 00:00:00Z',
  '2026-01-01',
  '20260101T000000Z',
  '2026-W01-1T00:00:00Z',
  '+002026-01-01T00:00:00Z',
  '2026-01-01T00:00:00.Z',
  '2026-01-01T00:00:00,5Z',
  '2026-01-01T00:00:00.1234567890Z',
  '2026-01-01T00:00:00Z ',
  '2026-01-01T00:00:00Z\n',
  '２０２６-01-01T00:00:00Z',
  '1767225600',
  'tomorrow',
  '',
]) {
  test(`${JSON.stringify(text)} is no instant`, () => assert.equal(parseInstant(text), undefined));
}

test('what a date writes of itself is read as the same instant, whatever offset it is written with', () => {
  const range = { min: new Date('0002-01-01T00:00:00Z'), max: new Date('9998-12-31T00:00:00Z'), noInvalidDate: true };
  fc.assert(
    fc.property(fc.date(range), fc.integer({ min: -14 * 60, max: 14 * 60 }), (date, offset) => {
      const wall = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1);
      const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60];
      const shown = `${offset < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
      assert.equal(parseInstant(`${wall}${shown}`)?.getTime(), date.getTime());
    }),
  );
});
