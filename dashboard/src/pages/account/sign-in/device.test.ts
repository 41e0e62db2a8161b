import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceOf } from './device.ts';

test('a session is named by its browser and system', () => {
  const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';
  assert.equal(deviceOf(chrome), 'Chrome on Linux');
  assert.equal(deviceOf(`${chrome} Edg/140.0`), 'Edge on Linux');
  assert.equal(deviceOf('curl/8.5.0'), 'curl');
  assert.equal(deviceOf('my-program'), 'my-program');
  assert.equal(deviceOf(null), 'Unknown client');
});
