import assert from 'node:assert/strict';
import { after, test } from 'node:test';
// The only import of server code here: this test compares the copy with the list that decides.
import { listZones } from '../../../server/src/platform/time/zones.ts';
import { browserZone, chooseZone, chosenZone, keepZoneOfWorkspace, personZone, zoneChoices } from './zone.ts';

const zonesOf = (set: string) => zoneChoices(set).map(({ items }) => items);

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

test('the zone of the person, of the workspace and UTC come first, and each zone once', (t) => {
  t.mock.method(Intl.DateTimeFormat.prototype, 'resolvedOptions', () => ({ timeZone: 'Europe/Kiev' }));
  keepZoneOfWorkspace('Asia/Tokyo');
  t.after(() => keepZoneOfWorkspace(undefined));
  const [suggested, others = []] = zonesOf('Europe/Berlin');
  assert.deepEqual(suggested, ['Europe/Kyiv', 'Asia/Tokyo', 'UTC']);
  assert.deepEqual(others, others.map(String).toSorted());
  assert.ok(others.includes('Europe/Berlin') && !others.includes('Asia/Tokyo') && !others.includes('UTC'));

  chooseZone('America/Lima');
  const own = { value: '', label: 'That of the workspace' };
  assert.deepEqual(zoneChoices('', own)[0]?.items, [own, 'America/Lima', 'Europe/Kyiv', 'Asia/Tokyo', 'UTC']);
  chooseZone(undefined);
});

test('a zone that the browser does not list stays in its field', () => {
  assert.equal(zonesOf('Etc/Somewhere')[0]?.at(-1), 'Etc/Somewhere');
  assert.ok(!zonesOf('UTC').flat().includes('Etc/Somewhere'));
});

test('the zones are those of the server, by the names of today', () => {
  const ofServer = listZones().filter((name) => name !== 'Etc/UTC');
  assert.deepEqual(zonesOf('UTC').flat().map(String).toSorted(), ofServer);
  for (const name of [
    'Asia/Kathmandu',
    'Asia/Kolkata',
    'Europe/Kyiv',
    'America/Nuuk',
    'Asia/Yangon',
    'Asia/Ho_Chi_Minh',
  ])
    assert.ok(ofServer.includes(name), name);
});

test('a zone of the browser or of a choice of long ago has its name of today', (t) => {
  t.mock.method(Intl.DateTimeFormat.prototype, 'resolvedOptions', () => ({ timeZone: 'Asia/Katmandu' }));
  assert.equal(browserZone(), 'Asia/Kathmandu');
  kept.set('posthorn.zone', 'Europe/Kiev');
  assert.equal(personZone(), 'Europe/Kyiv');
  kept.clear();
});
