import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMsOf } from '../../../../test/harness/cpu-time.ts';
import { AppError } from '../../errors/app-error.ts';
import { parseMultipart } from './multipart-body.ts';

const TYPE = 'multipart/form-data; boundary=x';
const part = (name: string, value: string): string =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const parse = (text: string, type = TYPE): Record<string, string> => parseMultipart(type, Buffer.from(text, 'latin1'));
const refused = (text: string, type = TYPE): void =>
  assert.throws(
    () => parse(text, type),
    (error) => error instanceof AppError && error.name === 'validation_error',
    text.slice(0, 200),
  );

test('the unsubscribe request of a mail program is read, with and without a line before and after', () => {
  const body = `${part('List-Unsubscribe', 'One-Click')}--x--`;
  for (const text of [body, `${body}\r\n`, `\r\n${body}\r\nan epilogue`, `a preamble\r\n${body}`])
    assert.deepEqual(parse(text), { 'List-Unsubscribe': 'One-Click' });
  assert.deepEqual(parse(body, 'Multipart/Form-Data; charset=utf-8; BOUNDARY="x"'), {
    'List-Unsubscribe': 'One-Click',
  });
});

test('white space that RFC 2046 and RFC 7578 allow is no fault: after a boundary, and before a semicolon', () => {
  const padded = '--x  \r\nContent-Disposition:form-data ; name="a"\r\n\r\nb\r\n--x--  \r\n';
  assert.deepEqual(parse(padded), { a: 'b' });
});

test("a browser's form is read: several fields, other headers, letters of UTF-8, line ends inside, empty ones left out", () => {
  const form = new FormData();
  form.set('name', 'Søren\r\n--not the boundary');
  form.set('empty', '');
  return new Response(form).arrayBuffer().then((bytes) => {
    const text = Buffer.from(bytes).toString('latin1');
    const boundary = /^--(\S+)/.exec(text)?.[1] ?? '';
    assert.deepEqual(parse(text, `multipart/form-data; boundary=${boundary}`), { name: 'Søren\r\n--not the boundary' });
    assert.deepEqual(
      parse('--x\r\nContent-Type: text/plain\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n--x--'),
      {
        a: 'b',
      },
    );
  });
});

test('400 for what is broken: no boundary, no end, no name, a file, an encoding, a field twice, NUL, other letters', () => {
  const good = `${part('a', 'b')}--x--`;
  for (const type of [
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary="x',
    TYPE.slice(0, -1),
  ])
    refused(good, type);
  refused(good, 'multipart/form-data; boundary=y');
  for (const text of [
    '',
    '--x',
    '--x--'.slice(0, 4),
    part('a', 'b'),
    `${part('a', 'b')}${part('a', 'c')}--x--`,
    '--x\r\n\r\nb\r\n--x--',
    '--x\r\nContent-Disposition: form-data\r\n\r\nb\r\n--x--',
    '--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\nc\r\n--x--',
    '--x\r\nContent-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64\r\n\r\nYg==\r\n--x--',
    `${part('a', 'b\0')}--x--`,
    `${part('a', '\xff')}--x--`,
    `${part('', 'b')}--x--`,
    good.replaceAll('\r\n', '\n'),
    `${Array.from({ length: 51 }, (_, index) => part(`f${index}`, 'x')).join('')}--x--`,
  ])
    refused(text);
});

test('__proto__ is a field like any other, and a megabyte of nonsense is refused at once', () => {
  const fields = parse(`${part('__proto__', 'x')}--x--`);
  assert.deepEqual(Object.entries(fields), [['__proto__', 'x']]);
  assert.equal(Object.getPrototypeOf(fields), Object.prototype);
  for (const unit of ['--x\r\n', '\r\n--x', 'a: b\r\n', 'x']) {
    const took = cpuMsOf(() => refused(unit.repeat(200_000)));
    assert.ok(took < 250, `${JSON.stringify(unit)} took ${took} ms`);
  }
});
