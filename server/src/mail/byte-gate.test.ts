import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMsOf } from '../../test/harness/cpu-time.ts';
import { inspectMessage } from './byte-gate.ts';

const head = [
  'Date: Sat, 21 Nov 2026 09:00:00 +0000',
  'From: "Acme, Inc <x>" <hello@acme.test>',
  'To: Ada <Ada@example.com>,',
  ' bob@example.com',
  'Message-ID: <1@acme.test>',
  'Subject: Hi',
  'MIME-Version: 1.0',
  'Content-Type: text/plain',
];
const expected = { from: 'hello@acme.test', envelopeTo: ['ada@example.com', 'bob@example.com', 'bcc@example.com'] };
const message = (lines = head, body = 'Hello\r\n') => Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1');
const problemsOf = (mime: Buffer, change = {}) => inspectMessage(mime, { ...expected, ...change });
const without = (name: string) => head.filter((line) => !line.startsWith(name));
const instead = (name: string, ...lines: string[]) => head.flatMap((line) => (line.startsWith(name) ? lines : [line]));

test('lets a clean message pass', () => {
  assert.deepEqual(problemsOf(message()), []);
  assert.deepEqual(problemsOf(message(head, `${'x'.repeat(998)}\r\n`)), []);
  assert.deepEqual(problemsOf(message(head, '')), []);
});

test('stops bytes a relay could change or read twice', () => {
  const bodies: [string, RegExp][] = [
    ['a\nb\r\n', /bare LF/],
    ['\n', /bare LF/],
    ['a\rb\r\n', /bare CR/],
    ['a\r\r\n', /bare CR/],
    ['a\r', /CR/],
    ['a\0\r\n', /NUL/],
    ['\u00e9\r\n', /above 127/],
    [`${'x'.repeat(999)}\r\n`, /longer than 998/],
    ['no end', /without CRLF/],
  ];
  for (const [body, reason] of bodies)
    assert.match(problemsOf(message(head, body)).join(), reason, JSON.stringify(body));
});

test('stops a bare line break at each place of a line, wherever the message begins in memory', () => {
  const line = 'ab\x7f\tcd\x0b~ef\x01\x0e ghij';
  const at = (offset: number, mime: Buffer): Buffer =>
    Buffer.concat([Buffer.alloc(offset), mime]).subarray(offset, offset + mime.length);
  for (const offset of [0, 1, 2, 3]) {
    for (let place = 0; place <= line.length; place += 1) {
      const bodyWith = (sign: string): Buffer =>
        at(offset, message(head, `${line.slice(0, place)}${sign}${line.slice(place)}\r\n`));
      const about = `${offset}, ${place}`;
      assert.deepEqual(problemsOf(bodyWith('')), [], about);
      assert.deepEqual(problemsOf(bodyWith('\r\n')), [], about);
      assert.match(problemsOf(bodyWith('\n')).join(), /bare LF/, about);
      assert.match(problemsOf(bodyWith('\r')).join(), /bare CR/, about);
      assert.match(problemsOf(bodyWith('x'.repeat(999))).join(), /longer than 998/, about);
    }
  }
});

test('stops a required field that is missing or there twice', () => {
  for (const name of ['Date', 'From', 'Message-ID', 'Subject', 'MIME-Version', 'Content-Type']) {
    assert.notDeepEqual(problemsOf(message(without(name))), [], name);
    const line = head.find((candidate) => candidate.startsWith(name)) ?? '';
    assert.notDeepEqual(problemsOf(message([...head, line.toLowerCase()])), [], name);
  }
  assert.notDeepEqual(problemsOf(message([...head, 'To: ada@example.com'])), []);
  assert.notDeepEqual(problemsOf(message(head.filter((line) => !/^To| bob/.test(line)))), []);
  for (const name of ['Reply-To', 'Cc', 'List-Unsubscribe', 'List-Unsubscribe-Post', 'DKIM-Signature']) {
    const line = `${name}: ada@example.com`;
    assert.deepEqual(problemsOf(message([...head, line])), [], name);
    assert.notDeepEqual(problemsOf(message([...head, line, line])), [], name);
  }
});

test('stops fields that must never leave, and lines that are none', () => {
  for (const line of [
    'Bcc: x@y.test',
    'BCC: x',
    'Return-Path: <>',
    'Resent-Bcc: x',
    'Received: x',
    'no field',
    'X Y: z',
    ': x',
    'X:y',
  ]) {
    assert.notDeepEqual(problemsOf(message([...head, line])), [], line);
  }
  assert.match(problemsOf(message([...head, ...Array(20).fill(`X: ${'y'.repeat(900)}`)])).join(), /header section/);
  assert.match(problemsOf(Buffer.from('From: a@b.test\r\n')).join(), /no end/);
});

test('stops a message whose people are not those of the envelope', () => {
  assert.notDeepEqual(problemsOf(message(), { from: 'other@acme.test' }), []);
  assert.notDeepEqual(problemsOf(message(), { envelopeTo: ['ada@example.com'] }), []);
  assert.notDeepEqual(problemsOf(message(), { envelopeTo: [] }), []);
  assert.notDeepEqual(problemsOf(message([...head, 'Cc: eve@evil.test'])), []);
  for (const from of [
    'a@x.test, hello@acme.test',
    'hello@acme.test, ',
    '<a@x.test> <hello@acme.test>',
    'a@x.test <hello@acme.test>',
    '',
    'g: hello@acme.test;',
  ]) {
    assert.notDeepEqual(problemsOf(message(instead('From', `From: ${from}`))), [], from);
  }
  for (const id of ['1@acme.test', '<1>', '<1@a> <2@a>', '']) {
    assert.notDeepEqual(problemsOf(message(instead('Message-ID', `Message-ID: ${id}`))), [], id);
  }
});

test('hostile headers of 16 KB are read in less than 20 ms', () => {
  for (const unit of [' ', '"', '\\', '<', '@', ',', '"\\', 'a@b', '\r\n ']) {
    const mime = message(instead('From', `From: ${unit.repeat(15_000 / unit.length)}x`));
    const took = cpuMsOf(() => {
      problemsOf(mime);
    });
    assert.ok(took < 20, `${JSON.stringify(unit)} took ${took} ms`);
  }
});
