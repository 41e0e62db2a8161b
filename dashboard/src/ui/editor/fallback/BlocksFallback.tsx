import type { Block, BlockDocument, List, TableRow } from '../../../lib/blocks/document.ts';
import { inkOn } from '../../../lib/blocks/render-button.ts';
import { wordCount } from '../../../lib/blocks/word-count.ts';
import { counted } from '../../../lib/number.ts';
import editor from '../editor.module.css';
import type { EditorProps } from '../editor-types.ts';
import styles from './fallback.module.css';
import { InlinesFallback } from './InlinesFallback.tsx';
import { PictureFallback } from './PictureFallback.tsx';
import { ToolbarFallback } from './ToolbarFallback.tsx';

type Props = Pick<EditorProps, 'brand' | 'readOnly' | 'label'> & { document: BlockDocument };

/**
 * A text where it will stand, in the elements and the styles of the editor, before there is an editor that it can be
 * written in. It comes with the page. The editor is more code than the rest of the page together.
 */
export function BlocksFallback({ document, brand, readOnly = false, label = 'Body of the issue' }: Props) {
  const ink = { '--brand': brand.color, '--brand-ink': inkOn(brand.color) } as React.CSSProperties; // custom properties are not in its type
  const words = wordCount(document);
  return (
    <div className={editor['editor']} style={ink} role="group" aria-busy aria-label={`${label}, being loaded`}>
      {!readOnly && <ToolbarFallback />}
      <div className={editor['paper']}>
        <div className={`${editor['text']} ${styles['text']}`}>{blocksOf(document.content)}</div>
      </div>
      <div className={editor['foot']}>{counted(words, 'word')}</div>
    </div>
  );
}

/** Two blocks may be the same in all, and none of them changes its place. */
const blocksOf = (blocks: readonly Block[]) =>
  // oxlint-disable-next-line react/no-array-index-key
  blocks.map((block, index) => <BlockAsWritten key={index} block={block} />);

function BlockAsWritten({ block }: { block: Block }) {
  switch (block.type) {
    case 'paragraph':
      return (
        <p data-align={block.attrs.align}>
          <InlinesFallback inlines={block.content} />
        </p>
      );
    case 'heading': {
      const Heading = `h${block.attrs.level}` as const;
      return (
        <Heading data-align={block.attrs.align}>
          <InlinesFallback inlines={block.content} />
        </Heading>
      );
    }
    case 'bulletList':
      return <ul>{itemsOf(block)}</ul>;
    case 'orderedList':
      return <ol start={block.attrs.start}>{itemsOf(block)}</ol>;
    case 'blockquote':
      return <blockquote>{blocksOf(block.content)}</blockquote>;
    case 'codeBlock':
      return (
        <pre>
          <code>{block.content.map(({ text }) => text).join('')}</code>
        </pre>
      );
    case 'horizontalRule':
      return <hr />;
    case 'picture':
      return <PictureFallback {...block.attrs} />;
    case 'button':
      return (
        <div data-button="" data-align={block.attrs.align} {...(block.attrs.href === '' ? { 'data-open': '' } : {})}>
          <span>{block.attrs.text || 'Button without words'}</span>
        </div>
      );
    case 'rawHtml':
      return (
        <div data-raw="">
          <pre>{block.attrs.html || 'Empty HTML block'}</pre>
        </div>
      );
    case 'columns':
      return (
        <div data-columns={block.content.length}>
          {block.content.map((column, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <div key={index} data-column="">
              {blocksOf(column.content)}
            </div>
          ))}
        </div>
      );
    case 'table':
      return (
        <div data-table="">
          <table>
            <tbody>{block.content.map(rowOf)}</tbody>
          </table>
        </div>
      );
  }
}

/** A row of `th` or `td`, with a paragraph in each. */
function rowOf(row: TableRow, at: number) {
  return (
    // oxlint-disable-next-line react/no-array-index-key
    <tr key={at}>
      {row.content.map((cell, index) => {
        const Cell = cell.type === 'tableHeader' ? 'th' : 'td';
        // oxlint-disable-next-line react/no-array-index-key
        return <Cell key={index}>{blocksOf(cell.content)}</Cell>;
      })}
    </tr>
  );
}

const itemsOf = (list: List) =>
  // oxlint-disable-next-line react/no-array-index-key
  list.content.map((item, index) => <li key={index}>{blocksOf(item.content)}</li>);
