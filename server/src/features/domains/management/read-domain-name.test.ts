import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '#platform/errors/app-error.ts';
import { readDomainName } from './read-domain-name.ts';

const spellings: [given: string, stored: string][] = [
  ['  Shop.ACME-One.example ', 'shop.acme-one.example'],
  ['dotted.example.', 'dotted.example'],
  ['Bücher.example', 'xn--bcher-kva.example'],
  ['deep.below.example.co.uk', 'deep.below.example.co.uk'],
  ['city.kawasaki.jp', 'city.kawasaki.jp'],
];
for (const [given, stored] of spellings) {
  test(`${JSON.stringify(given)} is stored as ${stored}`, () => assert.equal(readDomainName(given), stored));
}

const refused: [given: string, unacceptable?: true][] = [
  ['co.uk', true],
  ['CO.UK.', true],
  ['com', true],
  ['COM.', true],
  ['рф', true],
  ['github.io', true],
  ['kawasaki.jp', true],
  [`${'a.'.repeat(115)}example`, true],
  ['posthorn'],
  ['localhost'],
  ['192.0.2.1'],
  ['[192.0.2.1]'],
  ['a..example'],
  ['acme.example..'],
  ['-a.example'],
  ['a_b.example'],
  ['https://acme.example/'],
  ['ada@acme.example'],
  ['*.acme.example'],
  [`${'a'.repeat(64)}.example`],
  [''],
  ['.'],
  ['\u0000.example'],
  ['a b.example'],
  ['xn--a.example'],
];
for (const [given, unacceptable] of refused) {
  test(`${JSON.stringify(given).slice(0, 40)} is refused${unacceptable === true ? ' as unacceptable' : ''}`, () => {
    assert.throws(
      () => readDomainName(given),
      (error: unknown) =>
        error instanceof AppError && error.extras.param === 'domain' && error.extras.unacceptable === unacceptable,
    );
  });
}
