import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '../../../../test/harness/test-clock.ts';
import { UploadPlaces } from './upload-places.ts';

/** An upload whose bytes a test tells, and the errors that ended it. */
function anUpload(progress = { bytes: 1, waitedMs: 0 }) {
  const stops: Error[] = [];
  const upload = {
    stops,
    hungUp: false,
    isGone: () => upload.hungUp,
    progress: () => progress,
    stop: (error: Error) => void stops.push(error),
    told: progress,
  };
  return upload;
}

function aHouse() {
  const clock = createTestClock({ held: true });
  const places = new UploadPlaces();
  const take = async (workspaceId: string, upload = anUpload()) => ({
    upload,
    leave: await places.take(clock, workspaceId, upload),
  });
  return { clock, take };
}
const MANY = { length: 4 };

test('a workspace without a place takes that of the slowest sender, however many the others send', async () => {
  const { clock, take } = aHouse();
  const fast = await Promise.all(Array.from(MANY, () => take('one')));
  const slow = await Promise.all(Array.from(MANY, () => take('two')));
  for (const { upload } of fast) Object.assign(upload.told, { bytes: 65_536 * 6, waitedMs: 6_000 });
  slow.forEach(({ upload }, index) => Object.assign(upload.told, { bytes: 9_000 + index, waitedMs: 4_999 }));
  Object.assign(slow[2]?.upload.told ?? {}, { bytes: 8_000, waitedMs: 6_000 });
  const third = await take('third');
  const stopped = (): number[] => [...fast, ...slow].map(({ upload }) => upload.stops.length);
  assert.deepEqual(stopped(), [0, 0, 0, 0, 0, 0, 1, 0]);
  assert.match(String(slow[2]?.upload.stops[0]), /had to leave its place/);
  slow[2]?.leave(); // it has left already: nobody else's place comes free by it
  Object.assign(slow[3]?.upload.told ?? {}, { waitedMs: 5_000 });
  const fourth = await take('fourth');
  assert.deepEqual(stopped(), [0, 0, 0, 0, 0, 0, 1, 1]);
  assert.deepEqual([third.upload.stops, fourth.upload.stops], [[], []]);
  assert.equal(clock.monotonicMs(), 1_000, 'no time has passed');
});

test('when nobody is slow, the youngest upload of the workspace with the most places leaves, and never its last', async () => {
  const { take, clock } = aHouse();
  const one = await Promise.all(Array.from(MANY, () => take('one')));
  const two = await Promise.all(Array.from(MANY, () => take('two')));
  const [third, fourth] = [await take('third'), await take('fourth')];
  assert.deepEqual(
    one.concat(two).map(({ upload }) => upload.stops.length),
    [0, 0, 0, 1, 0, 0, 0, 1],
  );
  for (const name of ['fifth', 'sixth', 'seventh', 'eighth']) await take(name);
  assert.deepEqual(
    one.concat(two).map(({ upload }) => upload.stops.length),
    [0, 1, 1, 1, 0, 1, 1, 1],
  );
  const ninth = take('ninth');
  await clock.untilWaiting(10_000);
  clock.advance(9_999);
  third.leave();
  assert.deepEqual((await ninth).upload.stops, []);
  assert.deepEqual([third.upload.stops, fourth.upload.stops], [[], []]);
});

test('a free place goes to the workspace with the fewest; a workspace has at most four, and a wait ends with 503', async () => {
  const { take, clock } = aHouse();
  const one = await Promise.all(Array.from(MANY, () => take('one')));
  await assert.rejects(take('one'), /Other files are arriving/);
  const [two, ...others] = await Promise.all(['two', 'three', 'four', 'five'].map((name) => take(name)));
  one[3]?.leave();
  await take('six');
  const [second, oneAgain] = [take('two'), take('one')];
  const left: string[] = [];
  second.then(
    () => left.push('two'),
    () => left.push('two refused'),
  );
  oneAgain.then(
    () => left.push('one'),
    () => left.push('one refused'),
  );
  one[0]?.leave();
  await second;
  assert.deepEqual(left, ['two']);
  clock.advance(10_000);
  await assert.rejects(oneAgain, /Other files are arriving/);
  assert.deepEqual(
    [two, ...others].map((holder) => holder?.upload.stops),
    [[], [], [], []],
  );
  const waiting = Array.from(MANY, () => take('one').catch(String));
  await assert.rejects(take('one'), /Other files are arriving/);
  clock.advance(10_000);
  for (const one of await Promise.all(waiting)) assert.match(String(one), /Other files are arriving/);
});

test('a slow sender takes the place of no other when its own workspace has one, and nobody is stopped without need', async () => {
  const { take, clock } = aHouse();
  const one = await Promise.all(Array.from(MANY, () => take('one', anUpload({ bytes: 0, waitedMs: 60_000 }))));
  const two = await Promise.all(Array.from({ length: 3 }, () => take('two', anUpload({ bytes: 0, waitedMs: 60_000 }))));
  await take('three', anUpload({ bytes: 0, waitedMs: 60_000 }));
  const more = take('three');
  await clock.untilWaiting(10_000);
  clock.advance(10_000);
  await assert.rejects(more, /Other files are arriving/);
  assert.ok([...one, ...two].every(({ upload }) => upload.stops.length === 0));
});

test('a sender that hung up while it waited takes no place from anybody, and none from those who wait behind it', async () => {
  const { take, clock } = aHouse();
  const slow = { bytes: 0, waitedMs: 4_000 };
  const held = await Promise.all(Array.from({ length: 8 }, (_, n) => take(`workspace ${n}`, anUpload(slow))));
  const gone = Array.from(MANY, anUpload);
  const refused = gone.map((upload) => take('patient', upload).catch(String));
  for (const upload of gone) upload.hungUp = true;
  slow.waitedMs = 60_000;
  clock.advance(1_000);
  for (const one of await Promise.all(refused)) assert.match(String(one), /Other files are arriving/);
  assert.ok(held.every(({ upload }) => upload.stops.length === 0));
  const live = take('patient');
  await clock.untilWaiting(1_000);
  clock.advance(1_000);
  await live;
  assert.equal(held.filter(({ upload }) => upload.stops.length === 1).length, 1);
});
