import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { attachmentName } from './attachment-name.ts';
import { attachmentBytesMax, decodeAttachment, readAttachments } from './attachment-rules.ts';
import { attachmentType } from './attachment-type.ts';

const nameOf = (text: string) => {
  const result = attachmentName(text);
  return 'filename' in result ? result.filename : undefined;
};
const file = (bytes: Buffer, filename = 'a.bin') => ({ filename, content: bytes.toString('base64') });

test('a file name keeps its own words and loses its path', () => {
  assert.equal(nameOf('Résumé 2026 👋.pdf'), 'Résumé 2026 👋.pdf');
  assert.equal(nameOf('../../etc/passwd'), 'passwd');
  assert.equal(nameOf('C:\\dir\\r.pdf'), 'r.pdf');
  assert.equal(nameOf('a";x="'), 'a_;x=_');
  assert.equal(nameOf('n'.repeat(255)), 'n'.repeat(255));
});

test('refuses names that break a header, deceive, or run', () => {
  for (const name of [
    '',
    ' ',
    '.',
    '..',
    '/',
    'a/',
    'a\r\nb',
    'a\nb',
    'a\0.pdf',
    'a\u007f',
    'a\u0085',
    'a\u2028.pdf',
    'n'.repeat(256),
    'invoice\u202egpj.txt',
    'a\u200b.pdf',
    '\ud800.pdf',
  ]) {
    assert.equal(nameOf(name), undefined, JSON.stringify(name));
  }
  for (const name of ['a.exe', 'A.EXE', 'a.pdf.js', 'a.exe.', 'a.exe . ', 'x/a.scr', '.bat', 'a.ｅxe', 'a.exe\u00a0']) {
    assert.equal(nameOf(name), undefined, JSON.stringify(name));
  }
  assert.equal(nameOf('exe'), 'exe');
});

test('a content type is rebuilt, forced to be opaque, or refused', () => {
  assert.equal(
    attachmentType('Text/Calendar; method=REQUEST;charset="utf-8"', 'i.ics'),
    'text/calendar; method=REQUEST; charset="utf-8"',
  );
  assert.equal(attachmentType('image/png; name="x.exe"', 'x.png'), 'image/png');
  assert.equal(attachmentType(null, 'r.PDF'), 'application/pdf');
  assert.equal(attachmentType(undefined, 'noext'), 'application/octet-stream');
  for (const type of [
    'message/rfc822',
    'MESSAGE/rfc822; x=y',
    'multipart/mixed; boundary=x',
    'message/delivery-status',
  ]) {
    assert.equal(attachmentType(type, 'a.eml'), 'application/octet-stream');
  }
  assert.equal(attachmentType(null, 'a.eml'), 'application/octet-stream');
  for (const type of [
    'text',
    'text/',
    '/html',
    'text/html\r\nX: y',
    'text/html; x',
    'text/html; x="a\\"',
    'text/html, a/b',
    'tëxt/html',
    'text/html;',
    'text/html; x="=?"',
    `a/${'b'.repeat(200)}`,
    ' text/html',
  ]) {
    assert.equal(attachmentType(type, 'a.html'), undefined, JSON.stringify(type));
  }
});

test('base64 is taken only in its one canonical spelling', () => {
  for (const text of [
    'YQ',
    'YQ=',
    'YQ===',
    'YR==',
    'Y Q==',
    'YQ==\n',
    'YWJj-_',
    '_-__',
    '=YQ=',
    'YQ==YQ==',
    'é===',
    '!!!!',
  ]) {
    assert.equal(decodeAttachment(text), undefined, text);
  }
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
      assert.deepEqual(decodeAttachment(Buffer.from(bytes).toString('base64')), Buffer.from(bytes));
    }),
  );
});

test('20 attachments of 25 MB together are accepted; one more, or one byte more, is not', () => {
  const half = file(Buffer.alloc(attachmentBytesMax / 2, 1));
  assert.deepEqual(readAttachments([half, half]).problems, []);
  const over = readAttachments([half, half, file(Buffer.from('x'))]);
  assert.deepEqual([over.attachments.length, over.problems.length, over.problems[0]?.malformed], [0, 1, false]);
  const one = file(Buffer.from('x'));
  assert.equal(readAttachments(Array(20).fill(one)).attachments.length, 20);
  assert.match(readAttachments(Array(21).fill(one)).problems[0]?.problem ?? '', /more than 20/);
});

test('each problem names its attachment and its field', () => {
  const { problems } = readAttachments([
    file(Buffer.from('x')),
    { filename: 'a.exe', content: '', contentType: 'x', contentId: '<a>' },
    { filename: 'a', content: '*', disposition: 'both' },
    { filename: 'a', content: '*', contentId: 'a\r\nb' },
  ]);
  assert.deepEqual(
    problems.map(({ index, field, malformed }) => [index, field, malformed]),
    [
      [1, 'filename', false],
      [1, 'contentType', false],
      [1, 'contentId', false],
      [1, 'content', false],
      [2, 'disposition', true],
      [3, 'contentId', false],
      [3, 'content', true],
    ],
  );
  const same = { ...file(Buffer.from('x')), contentId: 'logo' };
  assert.equal(readAttachments([same, same]).problems[0]?.field, 'contentId');
});
