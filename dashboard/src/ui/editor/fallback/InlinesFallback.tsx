import { Fragment, type ReactNode } from 'react';
import type { Inline, Mark } from '../../../lib/blocks/document.ts';

/** The words of a block. One without words has a line all the same, as in the editor. */
export function InlinesFallback({ inlines }: { inlines: readonly Inline[] }) {
  if (inlines.length === 0) return <br />;
  // oxlint-disable-next-line react/no-array-index-key
  return inlines.map((inline, index) => <Fragment key={index}>{inlineOf(inline)}</Fragment>);
}

function inlineOf(inline: Inline): ReactNode {
  switch (inline.type) {
    case 'text':
      return marked(inline.text, inline.marks);
    case 'variable':
      return marked(<span data-path={inline.attrs.path}>{inline.attrs.path}</span>, inline.marks);
    case 'hardBreak':
      return <br />;
  }
}

/** A link leads nowhere, as in the editor. */
const TAGS = { link: 'a', bold: 'strong', italic: 'em', underline: 'u', strike: 's', code: 'code' } as const;

/** The marks come outermost first. */
const marked = (words: ReactNode, marks: readonly Mark[] = []): ReactNode =>
  marks.reduceRight((inside, { type }) => {
    const Tag = TAGS[type];
    return <Tag>{inside}</Tag>;
  }, words);
