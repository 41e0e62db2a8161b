/** Pasting and dropping: html of other programs and Markdown become blocks, pictures are uploaded. */
import type { Editor } from '@tiptap/core';
import { Slice } from '@tiptap/pm/model';
import { handlePaste, isInTable } from '@tiptap/pm/tables';
import type { Block, BlockDocument } from '../../lib/blocks/document.ts';
import { fileOfData, newHeldAddress } from '../../lib/blocks/held-picture.ts';
import { type Imported, importHtml } from '../../lib/blocks/import-html.ts';
import { importMarkdown, looksLikeMarkdown } from '../../lib/blocks/import-markdown.ts';
import { isOfAnotherServer } from '../../lib/mail/own-picture.ts';
import { normaliseDocument } from '../../lib/blocks/normalise.ts';
import { linesOfWords } from '../../lib/blocks/words-of-blocks.ts';
import { writeOn } from './block-commands.ts';
import { leaveTable } from './nodes/table.ts';

export interface PasteHooks {
  upload(files: readonly File[], pos: number): void;
  /** Uploads pictures that stand in the text already, by the addresses under which they are held. */
  fill(held: ReadonlyMap<string, File>): void;
  notice(sentence: string): void;
  /** Pictures of other servers were pasted. */
  remote(): void;
}

/** True: it is done. Without it the editor pastes as it always does, which is right for its own content. */
export function pasteInto(editor: Editor, data: DataTransfer, own: Slice, hooks: PasteHooks): boolean {
  if (editor.isActive('codeBlock')) return false;
  const html = data.getData('text/html');
  const text = data.getData('text/plain');
  const pictures = filesIn(data);
  // Programs add a picture of what was copied; a picture alone has no words beside it.
  if (pictures.length > 0 && text.trim() === '') {
    hooks.upload(pictures, editor.state.selection.from);
    return true;
  }
  if (html !== '') {
    if (html.includes('data-pm-slice')) return isInTable(editor.state) && pasteIntoCells(editor, own);
    return insertHtml(editor, html, pictures, hooks);
  }
  return looksLikeMarkdown(text) ? insert(editor, importMarkdown(text), hooks) : false;
}

/** Of every kind: the server says why it refuses one. */
export const filesIn = (data: DataTransfer): File[] => [...data.files];

/**
 * Pictures in html of other programs are `data:` addresses, which hold the picture, or lead to a place that only that
 * program can read. These pictures may be among the files of the clipboard, in the same order.
 */
function insertHtml(editor: Editor, html: string, files: readonly File[], hooks: PasteHooks): boolean {
  const held = new Map<string, File>();
  const elsewhere = [...files];
  const places = importHtml(html, { hold: (src) => (fileOfData(src) === undefined ? undefined : newHeldAddress()) });
  const imported = importHtml(html, {
    hold(src) {
      const file = fileOfData(src) ?? (places.lostPictures === files.length ? elsewhere.shift() : undefined);
      if (file === undefined) return undefined;
      const address = newHeldAddress();
      held.set(address, file);
      return address;
    },
  });
  insert(editor, imported, hooks);
  hooks.fill(held);
  return true;
}

function insert(editor: Editor, { document, lostPictures }: Imported, hooks: PasteHooks): boolean {
  if (lostPictures > 0) {
    hooks.notice(
      lostPictures === 1
        ? 'One picture could not be pasted. Save it as a file and drop it here.'
        : `${lostPictures} pictures could not be pasted. Save them as files and drop them here.`,
    );
  }
  if (isInTable(editor.state) && pasteIntoCells(editor, sliceOf(editor, document))) return true;
  editor.chain().focus().insertContent(contentOf(document)).scrollIntoView().run();
  if (hasRemote(document.content)) {
    writeOn(editor); // the settings of a selected picture would lie over the words about it
    hooks.remote();
  }
  return true;
}

const hasRemote = (blocks: readonly Block[]): boolean =>
  blocks.some((block) =>
    block.type === 'picture'
      ? isOfAnotherServer(block.attrs.src)
      : block.type === 'columns' && block.content.some(({ content }) => hasRemote(content)),
  );

/** The words of a single paragraph go into the line where the cursor is. */
function contentOf({ content }: BlockDocument): object[] {
  const [only, ...more] = content;
  return only?.type === 'paragraph' && more.length === 0 ? only.content : content;
}

const sliceOf = ({ schema }: Editor, document: BlockDocument): Slice =>
  new Slice(schema.nodeFromJSON(document).content, 0, 0);

/**
 * A table fills the cells from that of the cursor on; of other blocks a cell takes the words. False: some are no words,
 * so all of them go behind the table, where the cursor now is.
 */
function pasteIntoCells(editor: Editor, slice: Slice): boolean {
  const only = slice.content.childCount === 1 ? slice.content.firstChild : null;
  if (only?.type.spec['tableRole'] !== undefined) return handlePaste(editor.view, new ClipboardEvent('paste'), slice);
  const words = linesOfWords(normaliseDocument({ content: slice.content.toJSON() }).content);
  if (words !== undefined) return editor.chain().focus().insertContent(words).scrollIntoView().run();
  leaveTable(editor);
  return false;
}
