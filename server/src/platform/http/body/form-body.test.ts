import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../errors/app-error.ts';
import { parseForm } from './form-body.ts';

const parse = (text: string): Record<string, string> => parseForm(Buffer.from(text, 'latin1'));

test('fields are decoded, and those left empty count as not given', () => {
  assert.deepEqual(parse('name=S%C3%B6hne+%26+Co&empty=&bare&sign=a%2Bb%3Dc'), { name: 'Söhne & Co', sign: 'a+b=c' });
  assert.deepEqual(parse(''), {});
});

test('400 for a field given twice, NUL, and bytes that are no UTF-8, naming the field', () => {
  for (const [text, param] of [
    ['token=a&token=a', 'token'],
    ['token=a&token=', 'token'],
    ['name=%00', 'name'],
    ['name=%ff', 'name'],
    ['name=\xff', undefined],
  ] as const)
    assert.throws(
      () => parse(text),
      (error: unknown) =>
        error instanceof AppError && error.name === 'validation_error' && error.extras.param === param,
      text,
    );
});

test('400 for a form of more than a thousand fields', () => {
  const form = (count: number): string => Array.from({ length: count }, (_, index) => `k${index}=1`).join('&');
  assert.equal(Object.keys(parse(form(1_000))).length, 1_000);
  assert.throws(() => parse(form(1_001)), {
    name: 'validation_error',
    message: 'The form has more than 1,000 fields.',
    extras: { param: 'k1000' },
  });
});

test('a field called __proto__ is a field and no prototype', () => {
  const fields = parse('__proto__=x&constructor=y');
  assert.equal(Object.getPrototypeOf(fields), Object.prototype);
  assert.deepEqual(Object.keys(fields), ['__proto__', 'constructor']);
});
