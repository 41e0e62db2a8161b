import { Button, Progress } from '@mantine/core';
import { Extension } from '@tiptap/core';
import { Placeholder } from '@tiptap/extensions';
import { NodeSelection } from '@tiptap/pm/state';
import { isInTable } from '@tiptap/pm/tables';
import { type Editor, EditorContent, useEditor, type UseEditorOptions } from '@tiptap/react';
import StarterKit from '@tiptap/starter-kit';
import { useEffect, useRef, useState } from 'react';
import { isLink } from '../../lib/blocks/address.ts';
import { type BlockDocument, storedDocument } from '../../lib/blocks/document.ts';
import { withoutHeld } from '../../lib/blocks/held-picture.ts';
import { normaliseDocument } from '../../lib/blocks/normalise.ts';
import { renderDocument } from '../../lib/blocks/render.ts';
import { inkOn } from '../../lib/blocks/render-button.ts';
import { wordCount } from '../../lib/blocks/word-count.ts';
import { pageNonce } from '../../lib/nonce.ts';
import { PICTURE_TYPES } from '../../lib/files/picture-store.ts';
import { PictureDialog } from '../pictures/PictureDialog.tsx';
import { currentBlock, deleteBlock, duplicateBlock, moveBlock, type PlacedBlock, writeOn } from './block-commands.ts';
import { BlockHandle } from './BlockHandle.tsx';
import { EditorNotice } from './EditorNotice.tsx';
import type { EditorProps } from './editor-types.ts';
import styles from './editor.module.css';
import type { WithPress } from './fallback/later-editor.tsx';
import { usePress } from './fallback/use-press.ts';
import { blockItems, variableItems } from './menu-items.ts';
import {
  Alignment,
  ButtonNode,
  ColumnNode,
  ColumnsNode,
  ListDepth,
  PictureNode,
  RawHtmlNode,
  VariableNode,
} from './nodes/schema.ts';
import { TableCellNode, TableHeaderNode, TableNode, TableRowNode } from './nodes/table.ts';
import { filesIn, pasteInto } from './paste.ts';
import { RemotePictures } from './RemotePictures.tsx';
import { SelectionMenu } from './SelectionMenu.tsx';
import { SuggestionList } from './SuggestionList.tsx';
import { type MenuItem, menuState, suggestionMenu } from './suggestions.ts';
import { Toolbar } from './Toolbar.tsx';
import { useCopies } from './use-copies.ts';
import { insertPicture, type Upload, useUploads } from './use-uploads.ts';

type Props = Omit<EditorProps, 'value'> & WithPress & { document: BlockDocument };

/** The present values, for the extensions, which are made once. */
interface Now {
  editor: Editor;
  choices: readonly MenuItem[];
  upload(files: readonly File[], pos: number): void;
  notice(sentence: string): void;
  fill(held: ReadonlyMap<string, File>): void;
  remote(): void;
  clickPicker(): void;
  openLibrary(): void;
  focusHandle(): void;
  link(): void;
}

class Hooks {
  now: Now | null = null;
  /** The place of the picture that is being chosen. */
  pickAt = 0;

  set(now: Now): void {
    this.now = now;
  }

  pick(pos: number): void {
    this.pickAt = pos;
    this.now?.clickPicker();
  }

  choose(pos: number): void {
    this.pickAt = pos;
    this.now?.openLibrary();
  }
}

function partsOf(hooks: Hooks) {
  const menus = { blocks: menuState(), variables: menuState() };
  const items = blockItems(
    (pos) => hooks.pick(pos),
    (pos) => hooks.choose(pos),
  );
  const extensions = [
    StarterKit.configure({
      heading: { levels: [1, 2, 3] },
      link: {
        openOnClick: false,
        defaultProtocol: 'https',
        isAllowedUri: isLink,
        HTMLAttributes: { rel: null, target: null },
      },
    }),
    Placeholder.configure({
      placeholder: ({ node }) => (node.type.name === 'heading' ? 'Heading' : 'Write, or press / for blocks'),
    }),
    VariableNode,
    PictureNode,
    ButtonNode,
    RawHtmlNode,
    ColumnsNode,
    ColumnNode,
    TableNode,
    TableRowNode,
    TableCellNode,
    TableHeaderNode,
    Alignment,
    ListDepth,
    keys(hooks),
    suggestionMenu('blocks', {
      char: '/',
      items: () => items,
      state: menus.blocks,
      prefixes: [' '],
      allow: (editor) => !isInTable(editor.state),
    }),
    suggestionMenu('variables', {
      char: '{{',
      items: () => hooks.now?.choices ?? [],
      state: menus.variables,
      prefixes: null,
    }),
  ];
  return { hooks, menus, items, extensions };
}

const propsFor = (hooks: Hooks, label: string): NonNullable<UseEditorOptions['editorProps']> => ({
  attributes: {
    class: styles['text'] ?? '',
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-label': label,
    'aria-describedby': 'editor-help',
  },
  handlePaste: (_, { clipboardData }, slice) =>
    clipboardData !== null && hooks.now !== null && pasteInto(hooks.now.editor, clipboardData, slice, hooks.now),
  handleDrop: (view, event, _, moved) => {
    const files = moved || event.dataTransfer === null ? [] : filesIn(event.dataTransfer);
    if (files.length === 0) return false;
    event.preventDefault();
    const pos = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos ?? view.state.selection.from;
    hooks.now?.upload(files, pos);
    return true;
  },
});

export function BlockEditor({
  document,
  onChange,
  pictures,
  variables,
  brand,
  readOnly = false,
  label = 'Body of the issue',
  pressed,
}: Props) {
  const root = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const handle = useRef<HTMLButtonElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const [isLinking, setLinking] = useState(false);
  const [isChoosing, setChoosing] = useState(false);
  const [notice, setNotice] = useState<string | null>(null);
  const [isRemotePasted, setRemotePasted] = useState(false);
  const [words, setWords] = useState(() => wordCount(document));
  const [{ hooks, menus, items, extensions }] = useState(() => partsOf(new Hooks()));
  const choices = variableItems(variables);
  const editor = useEditor({
    editable: !readOnly,
    content: document,
    injectNonce: pageNonce(),
    shouldRerenderOnTransaction: false,
    extensions,
    editorProps: propsFor(hooks, label),
    onUpdate: ({ editor: changed }) => {
      const made = normaliseDocument(withoutHeld(changed.getJSON()));
      setWords(wordCount(made));
      onChange({ html: renderDocument(made, { brandColor: brand.color }), editor: storedDocument(made) });
    },
  });
  const { uploads, upload, fill } = useUploads(editor, pictures.upload);
  const copies = useCopies(editor, pictures);
  useEffect(() => {
    hooks.set({
      editor,
      choices,
      upload,
      notice: setNotice,
      fill,
      remote: () => setRemotePasted(true),
      clickPicker: () => picker.current?.click(),
      openLibrary: () => setChoosing(true),
      focusHandle: () => handle.current?.focus(),
      link: () => setLinking(true),
    });
  }, [hooks, editor, choices, upload, fill]);
  useEffect(() => {
    editor.setEditable(!readOnly, false);
  }, [editor, readOnly]);
  usePress(
    pressed,
    () => root.current,
    (place) => !readOnly && editor.commands.focus(editor.view.posAtCoords(place)?.pos ?? 'end'),
  );

  const ink = { '--brand': brand.color, '--brand-ink': inkOn(brand.color) } as React.CSSProperties; // custom properties are not in its type
  return (
    <div className={styles['editor']} style={ink} data-readonly={readOnly} data-focus-frame ref={root}>
      {readOnly ? null : (
        <Toolbar
          editor={editor}
          items={items}
          variables={choices}
          onLink={() => setLinking(true)}
          onPicture={() => hooks.choose(editor.state.selection.to)}
        />
      )}
      <PictureDialog
        opened={isChoosing}
        store={pictures}
        onClose={() => setChoosing(false)}
        onChoose={(picture) => {
          setChoosing(false);
          insertPicture(editor, hooks.pickAt, picture);
        }}
      />
      {notice === null ? null : <EditorNotice onClose={() => setNotice(null)}>{notice}</EditorNotice>}
      {isRemotePasted && !readOnly && copies.remote.length > 0 && (
        <RemotePictures copies={copies} onClose={() => setRemotePasted(false)} />
      )}
      <div className={styles['paper']} ref={frame}>
        {readOnly ? null : <BlockHandle editor={editor} frame={frame} handle={handle} />}
        <EditorContent editor={editor} />
        {readOnly ? null : (
          <SelectionMenu
            editor={editor}
            copies={copies}
            isLinking={isLinking}
            onLink={() => setLinking(true)}
            onLinkDone={() => setLinking(false)}
          />
        )}
      </div>
      <SuggestionList state={menus.blocks} label="Blocks" element={editor.view.dom} />
      <SuggestionList state={menus.variables} label="Variables" element={editor.view.dom} />
      <input
        ref={picker}
        type="file"
        accept={PICTURE_TYPES}
        multiple
        hidden
        onChange={(event) => {
          upload([...(event.currentTarget.files ?? [])], hooks.pickAt);
          event.currentTarget.value = '';
        }}
      />
      <UploadList uploads={uploads} />
      <div className={styles['foot']}>
        <span>{words === 1 ? '1 word' : `${words} words`}</span>
        <span id="editor-help" className={styles['spoken']}>
          Press slash for blocks, two opening braces for variables, Alt and F10 for actions on a block, Alt and an arrow
          key to move it.
        </span>
      </div>
    </div>
  );
}

const UploadList = ({ uploads }: { uploads: readonly Upload[] }) =>
  uploads.length === 0 ? null : (
    <ul className={styles['uploads']} aria-label="Uploads">
      {uploads.map(({ id, name, share, fault, stop }) => (
        <li key={id}>
          <span>{fault === null ? name : `${name}: ${fault}`}</span>
          {fault === null ? <Progress value={share * 100} aria-label={`Upload of ${name}`} /> : <span />}
          <Button size="compact-xs" variant="subtle" color="gray" onClick={stop}>
            {fault === null ? 'Cancel' : 'Close'}
          </Button>
        </li>
      ))}
    </ul>
  );

/** Keys for what the mouse does at the handle of a block. */
const keys = (hooks: Hooks) =>
  Extension.create({
    name: 'blockKeys',
    addKeyboardShortcuts() {
      const on = (command: (editor: Editor, block: PlacedBlock) => boolean) => () => {
        const block = currentBlock(this.editor);
        return block !== null && command(this.editor, block);
      };
      return {
        'Alt-ArrowUp': on((editor, block) => moveBlock(editor, block, -1)),
        'Alt-ArrowDown': on((editor, block) => moveBlock(editor, block, 1)),
        'Mod-Shift-d': on(duplicateBlock),
        'Mod-Shift-Backspace': on(deleteBlock),
        // From a selected picture or button back into the text.
        Escape: () => this.editor.state.selection instanceof NodeSelection && writeOn(this.editor),
        'Alt-F10': () => (hooks.now?.focusHandle(), true),
        'Mod-k': () => (hooks.now?.link(), true),
      };
    },
  });
