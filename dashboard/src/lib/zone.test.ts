import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { browserZone, chooseZone, chosenZone, personZone, zoneNames } from './zone.ts';

const kept = new Map<string, string>();
const before = Object.getOwnPropertyDescriptor(globalThis, 'localStorage');
Object.defineProperty(globalThis, 'localStorage', {
  configurable: true,
  value: {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  },
});
after(() => {
  if (before !== undefined) Object.defineProperty(globalThis, 'localStorage', before);
});

test('the zone is that of the browser until the person chooses another, and again afterwards', () => {
  assert.equal(personZone(), browserZone());
  chooseZone('Asia/Kathmandu');
  assert.equal(personZone(), 'Asia/Kathmandu');
  chooseZone(undefined);
  assert.deepEqual([chosenZone(), personZone()], [undefined, browserZone()]);
});

test('a kept name that is no zone counts as none', () => {
  kept.set('posthorn.zone', 'Mars/Base');
  assert.equal(personZone(), browserZone());
  kept.clear();
});

test('the list of zones has UTC and the one that is set', () => {
  assert.ok(zoneNames('UTC').includes('UTC'));
  assert.equal(zoneNames('Etc/Somewhere')[0], 'Etc/Somewhere');
  assert.equal(new Set(zoneNames('Europe/Berlin')).size, zoneNames('Europe/Berlin').length);
});
