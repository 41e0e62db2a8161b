import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Service, startAll } from './lifecycle.ts';
import { createLog } from './log.ts';
import { Moment } from './moments.ts';

function recorded(diary: string[], lines: string[] = []) {
  const log = createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } });
  const service = (name: string, fails: { start?: boolean; stop?: boolean } = {}): Service => ({
    name,
    async start() {
      diary.push(`start ${name}`);
      if (fails.start === true) throw new Error(`${name} does not start`);
    },
    async stop() {
      diary.push(`stop ${name}`);
      if (fails.stop === true) throw new Error(`${name} does not stop`);
    },
  });
  return { log, service };
}

test('services start in order and stop in the opposite one', async () => {
  const diary: string[] = [];
  const { log, service } = recorded(diary);
  const running = await startAll([service('a'), service('b'), service('c')], log);
  await running.stop();
  assert.deepEqual(diary, ['start a', 'start b', 'start c', 'stop c', 'stop b', 'stop a']);
});

test('services of an inner list stop together, before those they depend on, even if one of them fails', async () => {
  const diary: string[] = [];
  const { log, service } = recorded(diary);
  const [slow, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const waiting: Service = { ...service('slow'), stop: () => slow.promise };
  const last: Service = { ...service('last'), stop: async () => done.resolve() };
  const running = await startAll([service('base'), [last, service('b', { stop: true }), waiting], service('top')], log);
  const stopped = running.stop();
  await done.promise; // started before the slow one, and stopped while that still finishes
  assert.deepEqual(diary, ['start base', 'start last', 'start b', 'start slow', 'start top', 'stop top', 'stop b']);
  slow.resolve();
  await stopped;
  assert.equal(diary.at(-1), 'stop base');
});

test('stop may come twice, and each service is stopped once', async () => {
  const diary: string[] = [];
  const { log, service } = recorded(diary);
  const running = await startAll([service('a'), service('b')], log);
  await Promise.all([running.stop(), running.stop()]);
  await running.stop();
  assert.deepEqual(diary.filter((line) => line.startsWith('stop')).sort(), ['stop a', 'stop b']);
});

test('when one does not start, those before it are stopped and the failure is told', async () => {
  const diary: string[] = [];
  const { log, service } = recorded(diary);
  await assert.rejects(startAll([service('a'), service('b', { start: true }), service('c')], log), /b does not start/);
  assert.deepEqual(diary, ['start a', 'start b', 'stop b', 'stop a']);
});

test('one that does not stop is logged and does not keep the others running', async () => {
  const diary: string[] = [];
  const lines: string[] = [];
  const { log, service } = recorded(diary, lines);
  const running = await startAll([service('a'), service('b', { stop: true })], log);
  await running.stop();
  assert.deepEqual(diary.slice(2), ['stop b', 'stop a']);
  assert.match(lines.join(''), /"level":"error".*"service":"b"/);
});

test('a moment tells all who wait, once, and fails those it does not reach in time', async () => {
  const moment = new Moment<number>();
  moment.occur(1);
  const waiting = [moment.next(), moment.next()];
  moment.occur(2);
  moment.occur(3);
  assert.deepEqual(await Promise.all(waiting), [2, 2]);
  await assert.rejects(moment.next(1), /did not come within 1 ms/);
});
