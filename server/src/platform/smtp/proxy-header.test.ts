import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProxyHeader } from './proxy-header.ts';

const v2 = (command: number, family: number, rest: Buffer): Buffer => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(rest.length);
  return Buffer.concat([Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1'), Buffer.from([command, family]), length, rest]);
};
const ipv4 = Buffer.from([203, 0, 113, 7, 192, 0, 2, 1, 0x12, 0x67, 2, 0x4b]);
const addition = Buffer.from([4, 0, 1, 0]);

const GOOD: [string, Buffer, string | null][] = [
  ['IPv4, version 1', Buffer.from('PROXY TCP4 203.0.113.7 192.0.2.1 4711 587\r\n'), '203.0.113.7'],
  ['IPv6, version 1', Buffer.from('PROXY TCP6 2001:db8::7 2001:db8::1 4711 587\r\n'), '2001:db8::7'],
  ['an unknown one, version 1', Buffer.from('PROXY UNKNOWN\r\n'), null],
  ['IPv4 with an addition, version 2', v2(0x21, 0x11, Buffer.concat([ipv4, addition])), '203.0.113.7'],
  ['the proxy itself, version 2', v2(0x20, 0x00, Buffer.alloc(0)), null],
  ['a UNIX socket, version 2', v2(0x21, 0x31, Buffer.alloc(216)), null],
];
for (const [name, header, address] of GOOD)
  test(`the address of a connection is read, however its header arrives: ${name}`, () => {
    const bytes = Buffer.concat([header, Buffer.from('EHLO')]);
    for (let length = 1; length < header.length; length += 1)
      assert.deepEqual(parseProxyHeader(bytes.subarray(0, length)), { kind: 'incomplete' }, `${length} bytes`);
    assert.deepEqual(parseProxyHeader(bytes), { kind: 'header', length: header.length, address });
  });

test('a connection that begins another way has no header, and one that is wrong is refused', () => {
  for (const other of ['EHLO client', '\x16\x03\x01\x02', '\r\nEHLO', 'proxy tcp4'])
    assert.deepEqual(parseProxyHeader(Buffer.from(other, 'latin1')), { kind: 'none' }, other);
  for (const wrong of [
    Buffer.from('PROXY TCP4 nonsense x 1 2\r\n'),
    Buffer.from('PROXY TCP4 2001:db8::7 x 1 2\r\n'),
    Buffer.from(`PROXY TCP4 ${'1'.repeat(120)}`),
    v2(0x22, 0x11, ipv4),
    v2(0x21, 0x11, Buffer.alloc(3_000)),
  ])
    assert.deepEqual(parseProxyHeader(wrong), { kind: 'malformed' });
});
