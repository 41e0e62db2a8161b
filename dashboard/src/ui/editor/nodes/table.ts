/** Tables of words. Their editing is that of prosemirror-tables, without cells that span others. */
import { type Editor, Node } from '@tiptap/core';
import type { Node as DocumentNode } from '@tiptap/pm/model';
import { type Command, TextSelection } from '@tiptap/pm/state';
import { addRowAfter, goToNextCell, isInTable, tableEditing } from '@tiptap/pm/tables';
import { ownEntry } from '../../../lib/own-entry.ts';

const ROLES: Readonly<Record<string, string>> = {
  table: 'table',
  tableRow: 'row',
  tableCell: 'cell',
  tableHeader: 'header_cell',
};

/** The library asks each cell for these. */
const NO_SPANS = {
  colspan: { default: 1, rendered: false, parseHTML: () => 1 },
  rowspan: { default: 1, rendered: false, parseHTML: () => 1 },
  colwidth: { default: null, rendered: false, parseHTML: () => null },
};

const run = (editor: Editor, command: Command): boolean => command(editor.state, editor.view.dispatch, editor.view);

/** Where a block may stand that no cell holds: behind the table around this place, or this place itself. */
export function placeOfBlocks(doc: DocumentNode, pos: number): number {
  const $pos = doc.resolve(Math.min(pos, doc.content.size));
  for (let depth = $pos.depth; depth > 0; depth -= 1)
    if ($pos.node(depth).type.name === 'table') return $pos.after(depth);
  return pos;
}

/** Puts the cursor behind the table that it is in, in a paragraph of its own. */
export function leaveTable(editor: Editor): boolean {
  const { tr, selection, schema, doc } = editor.state;
  const place = placeOfBlocks(doc, selection.to);
  const paragraph = schema.nodes['paragraph']?.create();
  if (place === selection.to || paragraph === undefined) return false;
  tr.insert(place, paragraph);
  editor.view.dispatch(tr.setSelection(TextSelection.create(tr.doc, place + 1)).scrollIntoView());
  return true;
}

export const TableNode = Node.create({
  name: 'table',
  group: 'block',
  content: 'tableRow+',
  isolating: true,
  extendNodeSchema: ({ name }) => ({ tableRole: ownEntry(ROLES, name) }),
  parseHTML: () => [{ tag: 'table' }],
  renderHTML: () => ['div', { 'data-table': '' }, ['table', {}, ['tbody', {}, 0]]],
  addKeyboardShortcuts() {
    const inTable = (act: () => boolean) => () => isInTable(this.editor.state) && act();
    const next = () => run(this.editor, goToNextCell(1));
    return {
      Tab: inTable(() => next() || (run(this.editor, addRowAfter) && next())),
      'Shift-Tab': inTable(() => run(this.editor, goToNextCell(-1)) || true),
      // A cell has one paragraph.
      Enter: inTable(() => this.editor.commands.setHardBreak()),
      'Mod-Enter': inTable(() => leaveTable(this.editor)),
    };
  },
  addProseMirrorPlugins: () => [tableEditing()],
});

export const TableRowNode = Node.create({
  name: 'tableRow',
  content: '(tableCell | tableHeader)+',
  parseHTML: () => [{ tag: 'tr' }],
  renderHTML: () => ['tr', {}, 0],
});

const cellNode = (name: string, tag: 'td' | 'th') =>
  Node.create({
    name,
    content: 'paragraph',
    isolating: true,
    addAttributes: () => NO_SPANS,
    parseHTML: () => [{ tag }],
    renderHTML: () => [tag, {}, 0],
  });

export const TableCellNode = cellNode('tableCell', 'td');
export const TableHeaderNode = cellNode('tableHeader', 'th');
