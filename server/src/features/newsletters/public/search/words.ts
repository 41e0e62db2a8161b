/** A longer word is known by its beginning. */
const WORD_CHARS = 40;
/** A search for more words than these is one for the first of them. */
const SEARCHED_MAX = 16;
/** A shorter word is looked for as it is: too many begin with it. */
const BEGINNING_MIN = 3;

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
/** Written without spaces: two letters that stand beside each other are their words. */
const UNSPACED = '\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}';
const RUNS = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}]+`, 'gu');
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');

/** Letters without their accents and in one case: a reader types "cafe" and "strasse". */
const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toUpperCase()
    .toLowerCase();

const runsOf = (text: string): string[] => (folded(text).match(WORD) ?? []).flatMap((word) => word.match(RUNS) ?? []);

const cut = (word: string): string => Array.from(word).slice(0, WORD_CHARS).join('');

/** The different words of a text, at most so many. */
export function wordsOf(text: string, max: number): string[] {
  const words = new Set<string>();
  for (const run of runsOf(text)) {
    if (words.size >= max) break;
    if (IS_UNSPACED.test(run)) {
      const letters = Array.from(run);
      letters.forEach((letter, at) => words.add(letter + (letters[at + 1] ?? '')));
    } else words.add(cut(run));
  }
  return [...words].slice(0, max);
}

export interface Searched {
  word: string;
  /** Words that begin with it are found, too. */
  isBeginning: boolean;
}

/** The words that an issue must have for somebody who typed this; none: nothing can be found by it. */
export function searchedIn(text: string): Searched[] {
  const searched = runsOf(text).flatMap((run): Searched[] => {
    if (!IS_UNSPACED.test(run)) return [{ word: cut(run), isBeginning: Array.from(run).length >= BEGINNING_MIN }];
    const letters = Array.from(run);
    if (letters.length === 1) return [{ word: run, isBeginning: true }];
    return letters.slice(1).map((letter, at) => ({ word: (letters[at] ?? '') + letter, isBeginning: false }));
  });
  return searched.slice(0, SEARCHED_MAX);
}
