import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from 'uqr';
import { qrPath } from './qr-path.ts';

const TEXT = 'otpauth://totp/Posthorn:ada%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Posthorn';

/** The modules that the path fills. */
function filled({ size, path }: { size: number; path: string }): boolean[][] {
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1H\1z/g)) {
    for (let at = Number(x); at < Number(x) + Number(width); at += 1) {
      const row = rows[Number(y)];
      assert.equal(row?.[at], false, 'no module is drawn twice');
      if (row !== undefined) row[at] = true;
    }
  }
  return rows;
}

test('the path fills exactly the dark modules, with four light ones around them', () => {
  const drawn = qrPath(TEXT);
  const { data } = encode(TEXT, { ecc: 'M', border: 0 });
  assert.equal(drawn.size, data.length + 8);
  const rows = filled(drawn);
  assert.deepEqual(
    rows.slice(4, -4).map((row) => row.slice(4, -4)),
    data,
  );
  assert.ok([...rows.slice(0, 4), ...rows.slice(-4)].flat().every((dark) => !dark));
  assert.equal(drawn.path.replaceAll(/M\d+ \d+h\d+v1H\d+z/g, ''), '', 'nothing else is in the path');
});

test('each of three corners has the pattern by which a reader finds the code', () => {
  const drawn = qrPath(TEXT);
  const rows = filled(drawn);
  const far = drawn.size - 4 - 7;
  for (const [top, left] of [
    [4, 4],
    [4, far],
    [far, 4],
  ] as const) {
    const pattern = rows.slice(top, top + 7).map((row) =>
      row
        .slice(left, left + 7)
        .map((dark) => (dark ? '#' : '.'))
        .join(''),
    );
    assert.deepEqual(pattern, ['#######', '#.....#', '#.###.#', '#.###.#', '#.###.#', '#.....#', '#######']);
  }
});
