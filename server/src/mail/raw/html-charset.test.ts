import assert from 'node:assert/strict';
import { test } from 'node:test';
import { htmlCharset } from './html-charset.ts';

const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

test('every byte of a charset with one byte for each character comes back as it was', () => {
  for (const name of [
    'iso-8859-1',
    'ISO-8859-2',
    ' iso-8859-5',
    'iso-8859-15',
    'windows-1251',
    'windows-1252',
    'koi8-r',
  ]) {
    const charset = htmlCharset(name) ?? assert.fail(name);
    const text = charset.decode(everyByte) ?? assert.fail(name);
    assert.equal(text.slice(0, 0x80), everyByte.toString('latin1', 0, 0x80), name);
    assert.deepEqual(charset.encode(text), everyByte, name);
  }
  assert.equal(htmlCharset('windows-1251')?.decode(Buffer.from([0xcf, 0xf0])), 'Пр');
  assert.equal(htmlCharset('windows-1252')?.encode('Pr\u00fcfung')?.toString('latin1'), 'Pr\xfcfung');
});

test('a character that the charset does not have is not written, and a byte without a character is not read', () => {
  for (const name of ['iso-8859-1', 'windows-1252', 'koi8-r'])
    assert.equal(htmlCharset(name)?.encode('語'), null, name);
  assert.equal(htmlCharset('windows-1252')?.encode('Пр'), null);
  // 0xAA has no character in the code page for Greek.
  assert.equal(htmlCharset('windows-1253')?.decode(Buffer.of(0xaa)), null);
});

test('ASCII with other bytes in it, damaged UTF-8 and a charset that cannot be written are no text', () => {
  assert.equal(htmlCharset(undefined)?.decode(Buffer.of(0xfc)), null);
  assert.equal(htmlCharset('us-ascii')?.decode(Buffer.of(0xfc)), null);
  assert.equal(htmlCharset('utf-8')?.decode(Buffer.of(0xfc)), null);
  for (const name of ['x-nobody', 'shift_jis', 'iso-2022-jp', 'utf-16le', 'iso-8859-99', '']) {
    assert.equal(htmlCharset(name), null, name);
  }
});
