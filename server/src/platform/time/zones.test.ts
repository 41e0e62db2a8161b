import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { AppError } from '../errors/app-error.ts';
import { listZones, readZone } from './zones.ts';

const ZONE_TABLE = '/usr/share/zoneinfo/zone.tab';

for (const zone of [
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Europe/Kyiv',
  'Asia/Kathmandu',
  'UTC',
  'Etc/UTC',
]) {
  test(`${zone} is a zone`, () => assert.equal(readZone('timezone', zone), zone));
}

const refusal = (text: string): string => {
  try {
    readZone('timezone', text);
  } catch (error) {
    assert.ok(error instanceof AppError);
    assert.equal(error.name, 'validation_error');
    assert.equal(error.extras.param, 'timezone');
    assert.equal(error.extras.unacceptable, undefined);
    return error.message;
  }
  throw new Error(`${text} was taken`);
};

for (const text of [
  'EST',
  'est',
  'EST5EDT',
  'CET',
  'GMT',
  'GMT+0',
  'GMT+5',
  'Etc/GMT+5',
  'Etc/GMT',
  '+05:00',
  'Z',
  'Local',
  'Factory',
  'Mars/Phobos',
  '',
  ' ',
  'Europe/Berlin ',
  '../../etc/passwd',
  'UTC\0',
  'Europe/Berlin\n',
  'posix/Europe/Berlin',
  'x/'.repeat(5_000),
]) {
  test(`${JSON.stringify(text.slice(0, 30))} is no zone`, () => {
    assert.match(refusal(text), /such as Europe\/Berlin/);
  });
}

for (const [text, today] of [
  ['Europe/Berlin', 'Europe/Berlin'],
  ['US/Eastern', 'America/New_York'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['america/montreal', 'America/Toronto'],
  ['Japan', 'Asia/Tokyo'],
  ['GB', 'Europe/London'],
  ['Eire', 'Europe/Dublin'],
  ['PRC', 'Asia/Shanghai'],
  ['ROC', 'Asia/Taipei'],
  ['rok', 'Asia/Seoul'],
  ['utc', 'UTC'],
  ['europe/berlin', 'Europe/Berlin'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
] as const) {
  test(`${text} is taken as ${today}`, () => assert.equal(readZone('timezone', text), today));
}

test('the zones are those of IANA’s table and UTC, and Node can tell the time in each', {
  skip: existsSync(ZONE_TABLE) ? false : 'no zone.tab on this machine (Debian: tzdata)',
}, () => {
  const table = readFileSync(ZONE_TABLE, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t')[2] ?? '');
  assert.ok(table.length > 400);
  const ours = new Set(listZones());
  assert.deepEqual(
    table.filter((zone) => !ours.has(zone)),
    [],
  );
  assert.deepEqual(
    [...ours].filter((zone) => !table.includes(zone)),
    ['Etc/UTC', 'UTC'],
  );
  for (const zone of ours) assert.ok(new Intl.DateTimeFormat('en', { timeZone: zone }).format(0));
});
