import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerEach, get, listen, NOT_PUBLIC, OK, openSafeFetch } from './test-kit.ts';

test('a developer’s receiver on the same machine is reached by its plain name', async (t) => {
  const peer = await listen(t, (socket) => answerEach(socket, OK));
  const safeFetch = openSafeFetch(t, { allow: [], development: { ownPorts: [3_000] } });
  for (const host of ['127.0.0.1', 'localhost']) {
    const url = `http://${host}:${peer.port}/hooks`;
    assert.equal(await safeFetch.checkUrl(url, 'url'), url);
    assert.equal((await get(safeFetch, url)).kind, 'answered');
  }
  assert.equal(peer.connections, 2);
});

test('no other spelling of it, no port of ours or of a database, and no low port', async (t) => {
  const own = await listen(t);
  const peer = await listen(t);
  const safeFetch = openSafeFetch(t, {
    allow: [],
    development: { ownPorts: [own.port] },
    lookup: async () => ['127.0.0.1'],
  });
  const { port } = peer;
  const urls = [`http://127.0.0.1:${own.port}/`, `http://localhost:${own.port}/`, 'http://127.0.0.1:80/'];
  urls.push('http://127.0.0.1:5432/', 'http://localhost:6379/', 'http://localhost:2375/');
  urls.push('http://localhost/', 'https://127.0.0.1/', `http://127.1:${port}/`, `http://LOCALHOST:${port}/`);
  urls.push(`http://localhost.:${port}/`, `http://[::1]:${port}/`, `http://[::ffff:127.0.0.1]:${port}/`);
  urls.push(`http://2130706433:${port}/`, `http://127.0.0.2:${port}/`, `http://a.localhost:${port}/`);
  urls.push(`http://nip.example:${port}/`, `http://10.0.0.1:${port}/`, `http://169.254.169.254:${port}/`);
  for (const url of urls) {
    const answer = await get(safeFetch, url);
    assert.equal(answer.kind === 'blocked' && answer.reason, NOT_PUBLIC, url);
    await assert.rejects(safeFetch.checkUrl(url, 'url'), { name: 'validation_error' }, url);
  }
  assert.deepEqual([own.connections, peer.connections], [0, 0]);
});

test('everything else is as in production', async (t) => {
  const safeFetch = openSafeFetch(t, {
    allow: [],
    development: { ownPorts: [3_000] },
    lookup: async () => ['1.1.1.1'],
  });
  assert.equal(await safeFetch.checkUrl('https://hooks.example/', 'url'), 'https://hooks.example/');
  await assert.rejects(safeFetch.checkUrl('http://hooks.example/', 'url'), { message: /^Use https/ });
  await assert.rejects(safeFetch.checkUrl('https://hooks.example:4000/', 'url'), { message: /443 or 8443/ });
});
