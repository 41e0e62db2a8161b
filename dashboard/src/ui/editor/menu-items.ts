import type { Editor, Range } from '@tiptap/core';
import type { VariableChoice } from './editor-types.ts';
import type { MenuItem } from './suggestions.ts';

const column = () => ({ type: 'column', content: [{ type: 'paragraph' }] });

/** Inserts an atom and selects it, so that its settings open. */
function insertAtom(editor: Editor, range: Range, type: string, attrs: Record<string, unknown>): void {
  editor.chain().focus().deleteRange(range).insertContent({ type, attrs }).run();
  const { state } = editor;
  let at = -1;
  state.doc.nodesBetween(Math.max(0, range.from - 2), Math.min(state.doc.content.size, range.from + 3), (node, pos) => {
    if (node.type.name === type && at === -1) at = pos;
  });
  if (at !== -1) editor.commands.setNodeSelection(at);
}

export const blockItems = (pickPicture: (pos: number) => void, choosePicture: (pos: number) => void): MenuItem[] => [
  {
    id: 'text',
    label: 'Text',
    hint: 'A paragraph',
    words: 'paragraph plain',
    run: (editor, range) => editor.chain().focus().deleteRange(range).setParagraph().run(),
  },
  ...([1, 2, 3] as const).map(
    (level): MenuItem => ({
      id: `heading-${level}`,
      label: `Heading ${level}`,
      hint: ['Large', 'Medium', 'Small'][level - 1] ?? '',
      words: `title h${level}`,
      run: (editor, range) => editor.chain().focus().deleteRange(range).setHeading({ level }).run(),
    }),
  ),
  {
    id: 'bullets',
    label: 'Bullet list',
    hint: 'Points without an order',
    words: 'unordered ul points',
    run: (editor, range) => editor.chain().focus().deleteRange(range).toggleBulletList().run(),
  },
  {
    id: 'numbers',
    label: 'Numbered list',
    hint: 'Steps in order',
    words: 'ordered ol steps',
    run: (editor, range) => editor.chain().focus().deleteRange(range).toggleOrderedList().run(),
  },
  {
    id: 'quote',
    label: 'Quote',
    hint: 'Words of somebody else',
    words: 'blockquote citation',
    run: (editor, range) => editor.chain().focus().deleteRange(range).toggleBlockquote().run(),
  },
  {
    id: 'picture',
    label: 'Picture',
    hint: 'Upload a file',
    words: 'image photo img upload',
    run: (editor, range) => {
      editor.chain().focus().deleteRange(range).run();
      pickPicture(range.from);
    },
  },
  {
    id: 'earlier-picture',
    label: 'Earlier picture',
    hint: 'Choose an uploaded one',
    words: 'image photo img library logo',
    run: (editor, range) => {
      editor.chain().focus().deleteRange(range).run();
      choosePicture(range.from);
    },
  },
  {
    id: 'button',
    label: 'Button',
    hint: 'A link that stands out',
    words: 'call to action cta link',
    run: (editor, range) => insertAtom(editor, range, 'button', { text: 'Read more', href: '' }),
  },
  {
    id: 'columns-2',
    label: 'Two columns',
    hint: 'Stacked on phones',
    words: 'columns layout side',
    run: (editor, range) => insertColumns(editor, range, 2),
  },
  {
    id: 'columns-3',
    label: 'Three columns',
    hint: 'Stacked on phones',
    words: 'columns layout side',
    run: (editor, range) => insertColumns(editor, range, 3),
  },
  {
    id: 'table',
    label: 'Table',
    hint: 'Rows of data',
    words: 'grid cells rows columns',
    run: (editor, range) => insertTable(editor, range),
  },
  {
    id: 'divider',
    label: 'Divider',
    hint: 'A line between parts',
    words: 'hr rule separator line',
    run: (editor, range) => editor.chain().focus().deleteRange(range).setHorizontalRule().run(),
  },
  {
    id: 'code',
    label: 'Code',
    hint: 'Lines as they are',
    words: 'pre program snippet',
    run: (editor, range) => editor.chain().focus().deleteRange(range).toggleCodeBlock().run(),
  },
  {
    id: 'html',
    label: 'HTML',
    hint: 'A part that you write yourself',
    words: 'raw source liquid embed',
    run: (editor, range) => insertAtom(editor, range, 'rawHtml', { html: '' }),
  },
];

function insertColumns(editor: Editor, range: Range, count: 2 | 3): void {
  editor
    .chain()
    .focus()
    .deleteRange(range)
    .insertContent({ type: 'columns', content: Array.from({ length: count }, column) })
    .run();
  let first = -1;
  editor.state.doc.nodesBetween(Math.max(0, range.from - 2), editor.state.doc.content.size, (node, pos) => {
    if (node.type.name === 'column' && first === -1) first = pos;
  });
  if (first !== -1) editor.commands.setTextSelection(first + 2);
}

function insertTable(editor: Editor, range: Range): void {
  const row = (type: string) => ({
    type: 'tableRow',
    content: Array.from({ length: 3 }, () => ({ type, content: [{ type: 'paragraph' }] })),
  });
  const content = [row('tableHeader'), row('tableCell'), row('tableCell')];
  editor.chain().focus().deleteRange(range).insertContent({ type: 'table', content }).run();
  let first = -1;
  editor.state.doc.nodesBetween(Math.max(0, range.from - 2), editor.state.doc.content.size, (node, pos) => {
    if (node.type.name === 'tableHeader' && first === -1) first = pos;
  });
  if (first !== -1) editor.commands.setTextSelection(first + 2);
}

export const variableItems = (variables: readonly VariableChoice[]): MenuItem[] =>
  variables.map(({ path, label, fallback = '' }) => ({
    id: path,
    label,
    hint: path,
    words: path,
    // The cursor stands behind it: one writes on.
    run: (editor, range) =>
      void editor
        .chain()
        .focus()
        .deleteRange(range)
        .insertContent({ type: 'variable', attrs: { path, fallback } })
        .run(),
  }));
