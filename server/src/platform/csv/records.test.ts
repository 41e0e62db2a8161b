import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine, delimiterOf, escapeFormula, splitCells, unescapeFormula } from './cells.ts';
import { type FileRecord, RecordReader } from './records.ts';

const MAX = 64;

/** Every record, the file given in pieces of `size` bytes. */
function read(file: string | Buffer, size: number, options: { delimiter?: string | null; from?: FileRecord } = {}) {
  const bytes = Buffer.from(file);
  const start = options.from === undefined ? {} : { startByte: options.from.endByte, startLine: options.from.endLine };
  const delimiter = options.delimiter === undefined ? ',' : options.delimiter;
  const reader = new RecordReader({ recordBytesMax: MAX, delimiter, ...start });
  const records: FileRecord[] = [];
  const drain = (isEnd: boolean): void => {
    for (let one = reader.next(isEnd); one !== undefined; one = reader.next(isEnd)) records.push(one);
  };
  for (let at = start.startByte ?? 0; at < bytes.length; at += size) {
    reader.push(bytes.subarray(at, at + size));
    drain(false);
  }
  drain(true);
  return records;
}

const cellsOf = (records: readonly FileRecord[]) =>
  records.map((one) => (one.fault === null ? splitCells(one.text, ',', one.hasQuotes) : one.fault));

const FILES: readonly [string, string | Buffer, unknown[]][] = [
  [
    'LF, and none at the end',
    'a,b\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'CRLF',
    'a,b\r\nc,d\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'CR alone',
    'a,b\rc,d\r',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['a byte-order mark', '\ufeffa,b\n', [['a', 'b']]],
  [
    'line ends and marks in quotes',
    '"a\r\nb","c ""d"""\nx,y\n',
    [
      ['a\r\nb', 'c "d"'],
      ['x', 'y'],
    ],
  ],
  ['a line end behind a doubled mark', '"a""\nb",c\n', [['a"\nb', 'c']]],
  ['JSON in quotes', '1,"{""a"":""b,c""}"\n', [['1', '{"a":"b,c"}']]],
  [
    'a mark in the middle of a cell is a letter',
    'a"b,c"\nd,e\n',
    [
      ['a"b', 'c"'],
      ['d', 'e'],
    ],
  ],
  [
    'spaces before a mark that opens a cell',
    'a, "b, c"\n  "d\ne" , f\n',
    [
      ['a', 'b, c'],
      ['d\ne', 'f'],
    ],
  ],
  ['empty cells and lines', ',\n\n"",\n', [['', ''], [''], ['', '']]],
  ['a mark that is never closed costs its line', 'a,"b\nc,d\ne,f\n', ['unclosed_quote', ['c', 'd'], ['e', 'f']]],
  [
    'a mark that is never closed in a long file',
    `"b\n${'c,d\n'.repeat(40)}`,
    ['unclosed_quote', ...Array(40).fill(['c', 'd'])],
  ],
  ['a long line', `${'x'.repeat(300)}\na,b\n`, ['too_long', ['a', 'b']]],
  ['a long line at the end', `a\n${'x'.repeat(300)}`, [['a'], 'too_long']],
  ['a long cell in quotes', `"${'x'.repeat(300)}"\na,b\n`, ['too_long', ['a', 'b']]],
  ['NUL', 'a\0b\nc\n', ['nul', ['c']]],
  ['Latin-1', Buffer.from('caf\xe9\nc\n', 'latin1'), ['not_utf8', ['c']]],
  [
    'other scripts',
    'ä,日本\n😀,b\n',
    [
      ['ä', '日本'],
      ['😀', 'b'],
    ],
  ],
];

for (const [name, file, expected] of FILES) {
  test(`records are the same in whatever pieces they come: ${name}`, () => {
    for (const size of [1, 2, 3, 7, 64, 10_000]) assert.deepEqual(cellsOf(read(file, size)), expected, `${size}`);
  });

  test(`reading goes on behind any record, to the byte and the line: ${name}`, () => {
    const all = read(file, 10_000);
    for (const [index, one] of all.entries()) {
      assert.deepEqual(read(file, 5, { from: one }), all.slice(index + 1), `after ${index}`);
    }
  });
}

test('lines are counted as an editor does', () => {
  assert.deepEqual(
    read('a\r\n"b\n\nc"\nd\re\n', 10_000).map((one) => one.line),
    [1, 2, 5, 6],
  );
});

test('lines of JSON have no quotation marks to close', () => {
  assert.deepEqual(
    read('{"a":1}\n"\n{}', 3, { delimiter: null }).map((one) => one.text),
    ['{"a":1}', '"', '{}'],
  );
});

test('any written record is read back unchanged', () => {
  const pieces = ['=', '+', '-', '@', '\t', '\r', '\n', "'", '"', ',', ';', ' ', 'a', '＝', '|', 'é'];
  let state = 7;
  const random = (max: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % max;
  };
  for (let round = 0; round < 3_000; round += 1) {
    const cells = Array.from({ length: 1 + random(4) }, () =>
      Array.from({ length: random(6) }, () => pieces[random(pieces.length)] ?? '').join(''),
    );
    const [record, ...more] = read(csvLine(cells), 4);
    assert.ok(record !== undefined && more.length === 0 && record.fault === null, JSON.stringify(cells));
    assert.deepEqual(splitCells(record.text, ',', record.hasQuotes).map(unescapeFormula), cells);
  }
});

test('no cell that is written begins as a formula', () => {
  for (const cell of ['=1', '+1', '-1', '@a', '\t=1', '\r=1', '＝1', "'=1", "''=1"]) {
    assert.ok(escapeFormula(cell).startsWith("'"), cell);
    assert.equal(unescapeFormula(escapeFormula(cell)), cell);
  }
  assert.equal(escapeFormula("'a"), "'a");
});

test('the separator is found in the first line', () => {
  assert.equal(delimiterOf('email;name;"a,b,c,d"'), ';');
  assert.equal(delimiterOf('email\tname'), '\t');
  assert.equal(delimiterOf('email'), ',');
});
