import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import type { Editor } from '@tiptap/core';
import { useEditorState } from '@tiptap/react';
import {
  AlignCenter,
  AlignLeft,
  AlignRight,
  Bold,
  Braces,
  Code,
  Heading1,
  Heading2,
  Image as ImageIcon,
  Italic,
  Link as LinkIcon,
  List,
  ListOrdered,
  type LucideIcon,
  Plus,
  Quote,
  Redo2,
  Strikethrough,
  Underline,
  Undo2,
} from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import styles from './editor.module.css';
import { leaveTable } from './nodes/table.ts';
import type { MenuItem } from './suggestions.ts';
import { TableMenu } from './TableMenu.tsx';

interface Tool {
  label: string;
  keys?: string;
  icon: LucideIcon;
  isOn?(editor: Editor): boolean;
  isOff?(editor: Editor): boolean;
  run(editor: Editor): void;
}

const tools: readonly (readonly Tool[])[] = [
  [
    {
      label: 'Undo',
      keys: 'Ctrl+Z',
      icon: Undo2,
      isOff: (editor) => !editor.can().undo(),
      run: (editor) => editor.chain().focus().undo().run(),
    },
    {
      label: 'Redo',
      keys: 'Ctrl+Shift+Z',
      icon: Redo2,
      isOff: (editor) => !editor.can().redo(),
      run: (editor) => editor.chain().focus().redo().run(),
    },
  ],
  [
    {
      label: 'Bold',
      keys: 'Ctrl+B',
      icon: Bold,
      isOn: (editor) => editor.isActive('bold'),
      run: (editor) => editor.chain().focus().toggleBold().run(),
    },
    {
      label: 'Italic',
      keys: 'Ctrl+I',
      icon: Italic,
      isOn: (editor) => editor.isActive('italic'),
      run: (editor) => editor.chain().focus().toggleItalic().run(),
    },
    {
      label: 'Underline',
      keys: 'Ctrl+U',
      icon: Underline,
      isOn: (editor) => editor.isActive('underline'),
      run: (editor) => editor.chain().focus().toggleUnderline().run(),
    },
    {
      label: 'Strike through',
      keys: 'Ctrl+Shift+S',
      icon: Strikethrough,
      isOn: (editor) => editor.isActive('strike'),
      run: (editor) => editor.chain().focus().toggleStrike().run(),
    },
    {
      label: 'Code',
      keys: 'Ctrl+E',
      icon: Code,
      isOn: (editor) => editor.isActive('code'),
      run: (editor) => editor.chain().focus().toggleCode().run(),
    },
  ],
  [
    {
      label: 'Large heading',
      keys: 'Ctrl+Alt+1',
      icon: Heading1,
      isOn: (editor) => editor.isActive('heading', { level: 1 }),
      run: (editor) => editor.chain().focus().toggleHeading({ level: 1 }).run(),
    },
    {
      label: 'Medium heading',
      keys: 'Ctrl+Alt+2',
      icon: Heading2,
      isOn: (editor) => editor.isActive('heading', { level: 2 }),
      run: (editor) => editor.chain().focus().toggleHeading({ level: 2 }).run(),
    },
    {
      label: 'Bullet list',
      keys: 'Ctrl+Shift+8',
      icon: List,
      isOn: (editor) => editor.isActive('bulletList'),
      run: (editor) => editor.chain().focus().toggleBulletList().run(),
    },
    {
      label: 'Numbered list',
      keys: 'Ctrl+Shift+7',
      icon: ListOrdered,
      isOn: (editor) => editor.isActive('orderedList'),
      run: (editor) => editor.chain().focus().toggleOrderedList().run(),
    },
    {
      label: 'Quote',
      keys: 'Ctrl+Shift+B',
      icon: Quote,
      isOn: (editor) => editor.isActive('blockquote'),
      run: (editor) => editor.chain().focus().toggleBlockquote().run(),
    },
  ],
];
const ALIGN_ICONS = { left: AlignLeft, center: AlignCenter, right: AlignRight } as const;
const NEXT_ALIGN = { left: 'center', center: 'right', right: 'left' } as const;

/** The arrow keys move within it, beside the Tab key. */
export function Toolbar({
  editor,
  items,
  variables,
  onLink,
  onPicture,
}: {
  editor: Editor;
  items: readonly MenuItem[];
  variables: readonly MenuItem[];
  onLink(): void;
  onPicture(): void;
}) {
  const bar = useRef<HTMLDivElement>(null);
  const on = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      tools: tools.map((group) =>
        group.map((tool) => [tool.isOn?.(now) ?? false, tool.isOff?.(now) ?? false] as const),
      ),
      isLink: now.isActive('link'),
      align: alignOf(now),
    }),
  });
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const buttons = [...(bar.current?.querySelectorAll<HTMLElement>('button:not(:disabled)') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    if (step === undefined || at === -1) return;
    event.preventDefault();
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
  };
  const insert = (item: MenuItem) => {
    const { from, to } = editor.state.selection;
    item.run(editor, { from, to: item.id === 'text' ? from : to });
  };
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the focus moves between its buttons
    <div className={styles['toolbar']} role="toolbar" aria-label="Formatting" ref={bar} onKeyDown={move}>
      {tools.map((group, at) => (
        <div key={group[0]?.label} className={styles['group']}>
          {group.map((tool, index) => {
            const [isOn, isOff] = on.tools[at]?.[index] ?? [false, false];
            return <ToolButton key={tool.label} {...tool} isOn={isOn} disabled={isOff} run={() => tool.run(editor)} />;
          })}
        </div>
      ))}
      <div className={styles['group']}>
        <ToolButton label="Link" keys="Ctrl+K" icon={LinkIcon} isOn={on.isLink} run={onLink} />
        <ToolButton
          label={`Alignment: ${on.align}`}
          icon={ALIGN_ICONS[on.align]}
          run={() =>
            editor
              .chain()
              .focus()
              .updateAttributes(editor.isActive('heading') ? 'heading' : 'paragraph', { align: NEXT_ALIGN[on.align] })
              .run()
          }
        />
        <ToolButton label="Picture" icon={ImageIcon} run={onPicture} />
        <InsertMenu label="Insert a variable" icon={Braces} items={variables} onPick={insert} />
        <InsertMenu
          label="Insert a block"
          icon={Plus}
          items={items}
          onPick={(item) => {
            leaveTable(editor);
            insert(item);
          }}
        />
        <TableMenu editor={editor} />
      </div>
    </div>
  );
}

function alignOf(editor: Editor): keyof typeof NEXT_ALIGN {
  const { align } = editor.getAttributes(editor.isActive('heading') ? 'heading' : 'paragraph');
  return align === 'center' || align === 'right' ? align : 'left';
}

function ToolButton({
  label,
  keys,
  icon: Icon,
  isOn,
  disabled = false,
  run,
}: {
  label: string;
  keys?: string;
  icon: LucideIcon;
  isOn?: boolean;
  disabled?: boolean;
  run(): void;
}) {
  return (
    <Tooltip label={keys === undefined ? label : `${label} (${keys})`} openDelay={400}>
      <ActionIcon
        variant={isOn ? 'light' : 'subtle'}
        color="gray"
        size="md"
        aria-label={label}
        {...(isOn === undefined ? {} : { 'aria-pressed': isOn })}
        disabled={disabled}
        onClick={run}
      >
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

function InsertMenu({
  label,
  icon: Icon,
  items,
  onPick,
}: {
  label: string;
  icon: LucideIcon;
  items: readonly MenuItem[];
  onPick(item: MenuItem): void;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Menu position="bottom-end" shadow="md" width={280} returnFocus={false} onChange={setOpen}>
      <Menu.Target>
        <Tooltip label={label} openDelay={400} disabled={isOpen}>
          <ActionIcon variant="subtle" color="gray" size="md" aria-label={label}>
            <Icon size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown mah={360} className={styles['dropdown'] ?? ''}>
        {items.map((item) => (
          <Menu.Item
            key={item.id}
            rightSection={<span className={styles['hint']}>{item.hint}</span>}
            onClick={() => onPick(item)}
          >
            {item.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
