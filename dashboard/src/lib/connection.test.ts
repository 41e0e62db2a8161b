import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConnection } from './connection.ts';

/** A connection to a server that answers or not, and the states that it told about. */
function aConnection() {
  const server = { answers: true, asked: 0, time: 1_000 };
  const timers: (() => void)[] = [];
  const ask = async () => {
    server.asked += 1;
    if (!server.answers) throw new TypeError('Failed to fetch');
  };
  const connection = createConnection({ ask, later: (then) => timers.push(then), now: () => server.time });
  const told: (number | undefined)[] = [];
  connection.subscribe(() => told.push(connection.lostSince()));
  return { connection, server, timers, told };
}

test('a request without an answer is no lost connection while the server answers another one', async () => {
  const { connection, server, timers, told } = aConnection();
  await connection.doubted();
  assert.deepEqual([server.asked, connection.lostSince(), timers, told], [1, undefined, [], []]);
});

test('a connection is lost since the last answer, and back with any other', async () => {
  const { connection, server, told } = aConnection();
  server.time = 2_000;
  connection.answered();
  Object.assign(server, { answers: false, time: 9_000 });
  await connection.doubted();
  server.time = 13_000;
  await connection.doubted();
  assert.equal(connection.lostSince(), 2_000);
  connection.answered();
  assert.deepEqual(told, [2_000, undefined]);
});

test('the server is asked once at a time, and again later until it answers', async () => {
  const { connection, server, timers, told } = aConnection();
  server.answers = false;
  await Promise.all([connection.doubted(), connection.doubted()]);
  await connection.doubted();
  assert.deepEqual([server.asked, timers.length], [2, 1]);
  timers.pop()?.();
  await connection.doubted();
  assert.deepEqual([server.asked, timers.length], [3, 1]);
  server.answers = true;
  timers.pop()?.();
  await connection.doubted();
  assert.deepEqual([server.asked, timers.length, told], [4, 0, [1_000, undefined]]);
});

test('a part that cannot be loaded waits for the connection, and fails when the server is there', async () => {
  const { connection, server } = aConnection();
  let tries = 0;
  const part = async () => {
    tries += 1;
    if (!server.answers) throw new TypeError('Failed to fetch dynamically imported module');
    return 'the part';
  };
  server.answers = false;
  await connection.doubted();
  const loaded = connection.load(part);
  await connection.doubted();
  server.answers = true;
  connection.answered();
  assert.deepEqual([await loaded, tries], ['the part', 2]);
  const gone = new TypeError('gone with an update');
  await assert.rejects(
    connection.load(() => Promise.reject(gone)),
    gone,
  );
});
