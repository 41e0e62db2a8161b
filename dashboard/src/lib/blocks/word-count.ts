import type { Block, BlockDocument, Inline } from './document.ts';

const WORD = /[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu;

/** Words that a reader reads: a variable is one, html of the author's is none. */
export const wordCount = (document: BlockDocument): number => countIn(document.content);

function countIn(nodes: readonly (Block | Inline | { content: readonly Block[] })[]): number {
  let words = 0;
  let line = '';
  for (const node of nodes) {
    // Neighbours may share a word: their text is counted together.
    if ('text' in node) line += node.text;
    else if ('type' in node && node.type === 'variable') line += ' x ';
    else if ('type' in node && node.type === 'button') words += count(node.attrs.text);
    else if ('content' in node) words += countIn(node.content as readonly Block[]);
    else line += ' ';
  }
  return words + count(line);
}

const count = (text: string): number => text.match(WORD)?.length ?? 0;
