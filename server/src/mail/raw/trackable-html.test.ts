import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RAW_MIMES, rawMime } from '../../../test/harness/raw-messages.ts';
import { readInboundMessage } from '../inbound/read-message.ts';
import { type TrackableHtml, trackableHtml } from './trackable-html.ts';

const HTML = '<p>Grüße = <a href="https://example.com/">link</a></p>';
const CHANGED = HTML.replace('https://example.com/', `https://links.test/${'x'.repeat(1_200)}`);
const latin1 = (text: string): string => Buffer.from(text).toString('latin1');
const quoted = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => (byte === 0x3d || byte > 0x7e ? `=${byte.toString(16).toUpperCase()}` : String.fromCharCode(byte)))
    .join('');
const base64 = (text: string): string =>
  Buffer.from(text)
    .toString('base64')
    .replace(/(.{76})/g, '$1\r\n');
const mixed = (html: string): Buffer =>
  rawMime(
    `Preamble\r\n--b\r\nContent-Type: text/plain\r\n\r\ntrailing \t\r\n--b\r\n${html}\r\n--b\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nAAEC\r\n--b--\r\nEpilogue\r\n`,
    { type: 'multipart/mixed; boundary=b' },
  );
const htmlPart = (fields: string, body: string): Buffer =>
  mixed(`Content-Type: text/html; charset=UTF-8${fields}\r\n\r\n${body}`);

function trackable(mime: Buffer): TrackableHtml {
  const found = trackableHtml(mime);
  if (!('html' in found)) assert.fail(`left alone: ${found.why}`);
  return found;
}
const read = (mime: Buffer) => readInboundMessage(mime, { envelopeFrom: '', nowMs: () => 0 });
const whyNot = (mime: Buffer): string | null | undefined => {
  const found = trackableHtml(mime);
  return 'html' in found ? undefined : found.why;
};

test('the html of a message is read and replaced, however it was encoded; no other byte changes', async () => {
  for (const [name, mime] of Object.entries({
    'quoted-printable': htmlPart('\r\nContent-Transfer-Encoding: quoted-printable', quoted(HTML)),
    base64: htmlPart('\r\nContent-Transfer-Encoding:\r\n  BASE64\r\nContent-ID: <a>', base64(HTML)),
    '8 bits': htmlPart('\r\nContent-Transfer-Encoding: 8bit', latin1(HTML)),
    'no encoding': htmlPart('', latin1(HTML)),
    'no parts': rawMime(`${latin1(HTML)}\r\n`, { type: 'text/html; charset=utf-8' }),
  })) {
    const { html, withHtml } = trackable(mime);
    assert.equal(html.trimEnd(), HTML, name);
    const changed = withHtml(html.replace(HTML, CHANGED));
    const message = await read(changed);
    assert.equal(message.html?.trimEnd(), CHANGED, name);
    assert.ok(
      changed
        .toString('latin1')
        .split('\r\n')
        .every((line) => line.length <= 998),
      name,
    );
    const around = (bytes: Buffer): string[] => {
      const text = bytes.toString('latin1');
      const [before = '', part = ''] = text.split(/(?=Content-Type: text\/html)/i);
      return [before, part.replace(/^[^]*?(?=\r\n--b\r\n|$)/, '')];
    };
    assert.deepEqual(around(changed), around(mime), name);
    assert.equal(
      changed.toString('latin1').match(/^content-transfer-encoding:/gim)?.length,
      name === 'no parts' ? 1 : 2,
      name,
    );
  }
});

test('html in a charset with one byte for each character is written in that charset again', async () => {
  for (const [charset, bytes, shown] of [
    ['iso-8859-1', 'Gr\xfc\xdfe', 'Grüße'],
    ['ISO-8859-15', '10 \xa4', '10 €'],
    ['windows-1252', '\x93Gr\xfc\xdfe\x94', '“Grüße”'],
    ['windows-1251', '\xcf\xf0\xe8\xe2\xe5\xf2', 'Привет'],
  ] as const) {
    const type = `Content-Type: text/html; charset=${charset}`;
    const mime = mixed(`${type}\r\n\r\n<meta charset=${charset}><p>${bytes} <a href="https://example.com/">x</a></p>`);
    const { html, withHtml } = trackable(mime);
    assert.ok(html.includes(`<p>${shown} <a`), charset);
    const changed = withHtml(html.replace('https://example.com/', 'https://links.test/1'));
    const message = await read(changed);
    assert.equal(
      message.html?.trimEnd(),
      html.replace('https://example.com/', 'https://links.test/1').trimEnd(),
      charset,
    );
    assert.ok(changed.toString('latin1').includes(`${type}\r\nContent-Transfer-Encoding: `), charset);
    assert.equal(withHtml(`${html}語`), mime, `${charset} has no such character`);
  }
});

test('a message that was signed, is encrypted or cannot be read with certainty is left alone, and says why', () => {
  const part = (type: string, fields = ''): string => `--b\r\nContent-Type: ${type}${fields}\r\n\r\n<p>x</p>\r\n`;
  const message = (type: string, ...parts: string[]): Buffer =>
    rawMime(`${parts.join('')}--b--\r\n`, { type: `${type}; boundary=b` });
  for (const [mime, why] of [
    [RAW_MIMES['ascii'], null],
    [message('multipart/mixed', part('text/plain'), part('text/html', '\r\nContent-Disposition: attachment')), null],
    [message('multipart/signed', part('text/html'), part('text/plain')), 'signed'],
    [message('multipart/mixed', part('text/html'), part('application/pkcs7-signature')), 'signed'],
    [message('multipart/mixed', part('text/html'), part('application/pgp-encrypted')), 'signed'],
    [message('multipart/alternative', part('text/html'), part('text/html')), 'more than one'],
    [rawMime('<p>x</p>\r\n', { type: 'text/html', fields: ['DKIM-Signature: v=1; b=A'] }), 'signature of another'],
    [rawMime('<p>\xfc</p>\r\n', { type: 'text/html; charset=x-nobody' }), 'a charset that cannot be written'],
    [rawMime('<p>\x83e</p>\r\n', { type: 'text/html; charset=shift_jis' }), 'a charset that cannot be written'],
    [rawMime('<p>\xaa</p>\r\n', { type: 'text/html; charset=windows-1253' }), 'a charset that cannot be written'],
    [rawMime('<p>\xfc</p>\r\n', { type: 'text/html; charset=utf-8' }), 'a charset that cannot be written'],
    [rawMime('<p>\xc3\xbc</p>\r\n', { type: 'text/html' }), 'a charset that cannot be written'],
    [rawMime('x\r\n', { type: 'text/html', fields: ['Content-Transfer-Encoding: x-uuencode'] }), 'a way of its own'],
    [rawMime(`${'x'.repeat(76)}\r\n`.repeat(27_000), { type: 'text/html' }), 'larger than 2 MB'],
    [message('multipart/mixed', ...Array.from({ length: 1_001 }, () => part('text/html'))), 'cannot be read'],
  ] as const) {
    const found = whyNot(mime ?? Buffer.alloc(0));
    if (why === null) assert.equal(found, null);
    else assert.match(String(found), new RegExp(why));
  }
});
