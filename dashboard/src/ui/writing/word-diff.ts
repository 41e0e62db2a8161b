import { diffWordsWithSpace } from 'diff';
import { linesOf, partsOf, runsOf } from '../../lib/compare/text-runs.ts';

export interface Piece {
  /** The version that has it. */
  of: 'both' | 'mine' | 'theirs';
  text: string;
}

/** A place in which two texts differ, with the end of what is equal before it. */
export interface Passage {
  lead: string;
  theirs: string;
  mine: string;
}

export interface Differences {
  passages: Passage[];
  /** The begin of what is equal after the last one. */
  tail: string;
}

/** As much as is compared word by word at once: some paragraphs, or one that is long. */
const LINES_MAX = 10;
const CHARACTERS_MAX = 2_000;
/** Passages with more different words have little in common. */
const EDITS_MAX = 200;
/** "the", "and", a comma. */
const CRUMB_MAX = 4;
/** Equal text around a change, in characters. */
const CONTEXT = 160;

/** The places in which two texts differ. Their words are compared when they are drawn: `wordsOf`. */
export function passagesOf(theirs: string, mine: string): Differences {
  const passages: Passage[] = [];
  let equal: string | undefined;
  for (const run of runsOf(linesOf(theirs), linesOf(mine))) {
    if (run.isSame) {
      equal = run.before.join('');
      continue;
    }
    for (const part of partsOf(run, LINES_MAX, CHARACTERS_MAX)) {
      const lead = shortened(equal ?? '', { isFirst: passages.length === 0, isLast: false });
      passages.push({ lead, theirs: part.before.join(''), mine: part.after.join('') });
      equal = undefined;
    }
  }
  return { passages, tail: shortened(equal ?? '', { isFirst: false, isLast: true }) };
}

/** The words of a passage with those that only one version has. */
export function wordsOf({ theirs, mine }: Pick<Passage, 'theirs' | 'mine'>): Piece[] {
  const parts = diffWordsWithSpace(theirs, mine, { maxEditLength: EDITS_MAX }) ?? [
    { value: theirs, removed: true, added: false },
    { value: mine, removed: false, added: true },
  ];
  const pieces = parts.map(
    ({ added, removed, value }): Piece => ({ of: added ? 'mine' : removed ? 'theirs' : 'both', text: value }),
  );
  return withoutCrumbs(pieces).map((piece) =>
    piece.of === 'both' ? { ...piece, text: shortened(piece.text, { isFirst: false, isLast: false }) } : piece,
  );
}

/** A short word that both have by chance, between words that differ, is part of the difference. */
function withoutCrumbs(pieces: readonly Piece[]): Piece[] {
  const kept: Piece[] = [];
  let [theirs, mine] = ['', ''];
  const endChange = () => {
    if (theirs !== '') kept.push({ of: 'theirs', text: theirs });
    if (mine !== '') kept.push({ of: 'mine', text: mine });
    [theirs, mine] = ['', ''];
  };
  for (const [index, { of, text }] of pieces.entries()) {
    const isCrumb = index > 0 && index < pieces.length - 1 && text.trim().length <= CRUMB_MAX;
    if (of === 'both' && !isCrumb) {
      endChange();
      kept.push({ of, text });
      continue;
    }
    if (of !== 'mine') theirs += text;
    if (of !== 'theirs') mine += text;
  }
  endChange();
  return kept;
}

/** Long equal text keeps what stands beside a change. */
function shortened(text: string, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): string {
  if (text.length <= 3 * CONTEXT) return text;
  const [head, tail] = [isFirst ? '' : text.slice(0, CONTEXT), isLast ? '' : text.slice(-CONTEXT)];
  return `${head} … ${tail}`;
}
