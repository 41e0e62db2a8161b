import { ownEntry } from '#platform/own-entry.ts';

/** Long enough to be read, short enough for a line of mail. */
const CHARACTERS_MAX = 80;
/** Each byte of another alphabet is three characters in a URL. */
const BYTES_MAX = 160;

/** Letters that have no mark to take away, and are written with others where they are not known. */
const SPELLED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  å: 'a',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
};

/**
 * The subject as a part of a URL: lower case, words joined by hyphens, Latin letters without their marks, other
 * alphabets as they are. Variables in it are nothing that readers of the archive have. Never empty.
 */
export function slugOf(subject: string): string {
  const words = subject
    .replace(/\{\{.*?\}\}|\{%.*?%\}/gs, ' ')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[ßæœøåđðłþı]/g, (letter) => ownEntry(SPELLED, letter) ?? letter)
    .normalize('NFD')
    // Only after Latin letters: in other scripts a mark is a letter, or a voiced one.
    .replace(/([a-z])\p{M}+/gu, '$1')
    .normalize('NFC')
    // An apostrophe is inside a word: what's, not what-s.
    .replace(/(?<=\p{L})['’](?=\p{L})/gu, '')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
  const slug = shorten(words);
  return slug === '' ? 'issue' : slug;
}

/** Whole words as long as they fit; a first word that does not fit is cut. */
function shorten(words: readonly string[]): string {
  let slug = '';
  for (const word of words) {
    const longer = slug === '' ? word : `${slug}-${word}`;
    if (!fits(longer)) return slug === '' ? cut(word) : slug;
    slug = longer;
  }
  return slug;
}

const fits = (text: string): boolean =>
  Array.from(text).length <= CHARACTERS_MAX && Buffer.byteLength(text, 'utf8') <= BYTES_MAX;

function cut(word: string): string {
  let kept = '';
  for (const character of word) {
    if (!fits(kept + character)) break;
    kept += character;
  }
  return kept;
}

/** The first of `base`, `base-2`, `base-3`, … that is not taken. */
export function freeSlug(base: string, taken: ReadonlySet<string>): string {
  if (!taken.has(base)) return base;
  let number = 2;
  while (taken.has(`${base}-${number}`)) number += 1;
  return `${base}-${number}`;
}
