/** Moving, copying and deleting the block that is worked on: of the document, or of a column. */
import type { Editor } from '@tiptap/core';
import type { Node, ResolvedPos } from '@tiptap/pm/model';
import { NodeSelection, TextSelection } from '@tiptap/pm/state';

export interface PlacedBlock {
  pos: number;
  node: Node;
}

const HOLDERS = new Set(['doc', 'column']);

/** The innermost block of a document or column around this place. */
export function blockAround($pos: ResolvedPos): PlacedBlock | null {
  for (let depth = $pos.depth; depth >= 0; depth -= 1) {
    if (!HOLDERS.has($pos.node(depth).type.name)) continue;
    const node = depth === $pos.depth ? $pos.nodeAfter : $pos.node(depth + 1);
    if (node === null) return null;
    return { node, pos: depth === $pos.depth ? $pos.pos : $pos.before(depth + 1) };
  }
  return null;
}

export function currentBlock({ state }: Editor): PlacedBlock | null {
  const { selection } = state;
  return selection instanceof NodeSelection && selection.node.isBlock
    ? { pos: selection.from, node: selection.node }
    : blockAround(selection.$from);
}

export function moveBlock(editor: Editor, { pos, node }: PlacedBlock, by: -1 | 1): boolean {
  const { state, view } = editor;
  const $pos = state.doc.resolve(pos);
  const other = by === -1 ? $pos.nodeBefore : state.doc.resolve(pos + node.nodeSize).nodeAfter;
  if (other === null) return true;
  const inside = state.selection.from - pos;
  const { tr } = state;
  const target = by === -1 ? pos - other.nodeSize : pos + other.nodeSize;
  tr.delete(pos, pos + node.nodeSize).insert(target, node);
  select(tr, target, inside, node);
  view.dispatch(tr.scrollIntoView());
  return true;
}

export function duplicateBlock(editor: Editor, { pos, node }: PlacedBlock): boolean {
  const { state, view } = editor;
  const { tr } = state;
  const target = pos + node.nodeSize;
  tr.insert(target, node.copy(node.content));
  select(tr, target, state.selection.from - pos, node);
  view.dispatch(tr.scrollIntoView());
  return true;
}

export function deleteBlock(editor: Editor, { pos, node }: PlacedBlock): boolean {
  const { state, view } = editor;
  const { parent } = state.doc.resolve(pos);
  const { tr } = state;
  if (parent.childCount > 1) tr.delete(pos, pos + node.nodeSize);
  else tr.replaceWith(pos, pos + node.nodeSize, state.schema.nodes['paragraph']!.create()); // the schema is ours
  tr.setSelection(TextSelection.near(tr.doc.resolve(Math.min(pos, tr.doc.content.size))));
  view.dispatch(tr.scrollIntoView());
  return true;
}

/** From a selected picture, button or variable back into the text behind it. */
export function writeOn(editor: Editor): boolean {
  const { state, view } = editor;
  // A place between two blocks holds no cursor: `near` finds the next line that does.
  view.dispatch(state.tr.setSelection(TextSelection.near(state.doc.resolve(state.selection.to))).scrollIntoView());
  view.focus();
  return true;
}

/** The cursor stays in the block at the place that it had. */
function select(tr: Editor['state']['tr'], pos: number, inside: number, node: Node): void {
  tr.setSelection(
    node.isAtom || inside <= 0 || inside >= node.nodeSize
      ? node.isAtom
        ? NodeSelection.create(tr.doc, pos)
        : TextSelection.near(tr.doc.resolve(pos + 1))
      : TextSelection.near(tr.doc.resolve(pos + inside)),
  );
}
