import type { Block, Inline, ListItem } from './document.ts';

/** The words of blocks as lines of one paragraph, for a place that holds no blocks; undefined: some are no words. */
export function linesOfWords(blocks: readonly Block[]): Inline[] | undefined {
  const lines = blocks.map(linesOf);
  return lines.every((one) => one !== undefined) ? joined(lines.flat()) : undefined;
}

const joined = (lines: readonly Inline[][]): Inline[] =>
  lines.flatMap((line, index) => (index === 0 ? line : [{ type: 'hardBreak' }, ...line]));

function linesOf(block: Block | ListItem): Inline[][] | undefined {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return [block.content];
    case 'bulletList':
    case 'orderedList': {
      const items = block.content.map(linesOf);
      if (!items.every((one) => one !== undefined)) return undefined;
      const first = block.type === 'orderedList' ? block.attrs.start : undefined;
      return items.flatMap((lines, index) => marked(lines, first === undefined ? '• ' : `${first + index}. `));
    }
    case 'listItem': {
      const lines = block.content.map(linesOf);
      return lines.every((one) => one !== undefined) ? lines.flat() : undefined;
    }
    case 'codeBlock':
      return block.content
        .flatMap(({ text }) => text.split('\n'))
        .map((text) => (text === '' ? [] : [{ type: 'text', text }]));
    default:
      return undefined;
  }
}

const marked = ([first = [], ...more]: Inline[][], mark: string): Inline[][] => [
  [{ type: 'text', text: mark }, ...first],
  ...more,
];
