/** A cell that a spreadsheet would read as a formula begins with an apostrophe, as in the exports of the server. */
const cellOf = (value: string): string => {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** A CSV file (RFC 4180). */
export const toCsv = (rows: readonly (readonly (string | null)[])[]): string =>
  rows.map((row) => `${row.map((cell) => cellOf(cell ?? '')).join(',')}\r\n`).join('');

/**
 * The first rows of a CSV file, as a preview. The server reads the file itself. The separator is the one that stands
 * most often in the first line: comma, semicolon, tab or bar.
 */
export function csvHead(text: string, rowsMax: number): string[][] {
  const source = text.replace(/^\uFEFF/, '');
  const line = source.slice(0, source.search(/[\r\n]|$/));
  const separator = [',', ';', '\t', '|'].reduce((best, one) =>
    timesIn(line, one) > timesIn(line, best) ? one : best,
  );
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < source.length && rows.length < rowsMax; at += 1) {
    const char = source[at] ?? '';
    if (quoted) {
      if (char !== '"') cell += char;
      else if (source[at + 1] === '"') {
        cell += char;
        at += 1;
      } else quoted = false;
    } else if (char === '"' && cell === '') quoted = true;
    else if (char === separator) {
      row.push(cell);
      cell = '';
    } else if (char === '\n' || char === '\r') {
      if (char === '\r' && source[at + 1] === '\n') at += 1;
      row.push(cell);
      if (row.some((one) => one !== '')) rows.push(row);
      row = [];
      cell = '';
    } else cell += char;
  }
  if (rows.length < rowsMax && (cell !== '' || row.length > 0)) rows.push([...row, cell]);
  return rows;
}

const timesIn = (line: string, separator: string): number => line.split(separator).length;
