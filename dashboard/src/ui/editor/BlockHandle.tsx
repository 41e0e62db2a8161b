import { ActionIcon, Menu } from '@mantine/core';
import type { Editor } from '@tiptap/core';
import { ArrowDown, ArrowUp, Copy, GripVertical, Trash2 } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import {
  blockAround,
  currentBlock,
  deleteBlock,
  duplicateBlock,
  moveBlock,
  type PlacedBlock,
} from './block-commands.ts';
import styles from './editor.module.css';

/** Beside the block under the pointer, or else beside the one that is written in. Alt+F10 leads to it. */
export function BlockHandle({
  editor,
  frame,
  handle,
}: {
  editor: Editor;
  frame: RefObject<HTMLDivElement | null>;
  handle: RefObject<HTMLButtonElement | null>;
}) {
  const [block, setBlock] = useState<PlacedBlock | null>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const follow = () => setBlock(currentBlock(editor));
    const hover = (event: MouseEvent) => {
      const at = editor.view.posAtCoords({ left: event.clientX + 30, top: event.clientY });
      const found =
        at === null ? null : blockAround(editor.state.doc.resolve(Math.max(0, at.inside === -1 ? at.pos : at.inside)));
      if (found !== null) setBlock(found);
    };
    const element = frame.current;
    // Another width, or a picture that arrives, moves the blocks. The view of the editor may not be there yet.
    const placeAgain = () => setBlock((placed) => placed && { ...placed });
    const resized = new ResizeObserver(placeAgain);
    if (element !== null) resized.observe(element);
    element?.addEventListener('load', placeAgain, true);
    editor.on('transaction', follow);
    if (!isOpen) element?.addEventListener('mousemove', hover);
    return () => {
      resized.disconnect();
      element?.removeEventListener('load', placeAgain, true);
      editor.off('transaction', follow);
      element?.removeEventListener('mousemove', hover);
    };
  }, [editor, frame, isOpen]);
  const top = block === null ? null : topOf(editor, frame.current, block);
  if (block === null || top === null) return null;
  const run = (command: (editor: Editor, block: PlacedBlock) => boolean) => () => {
    command(editor, block);
    editor.view.focus();
  };
  return (
    <div className={styles['handle']} style={{ top }}>
      <Menu opened={isOpen} onChange={setOpen} position="bottom-start" shadow="md" width={220} returnFocus={false}>
        <Menu.Target>
          <ActionIcon ref={handle} variant="subtle" color="gray" size="sm" aria-label="Actions on this block">
            <GripVertical size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<ArrowUp size={14} />}
            rightSection={<Keys>Alt ↑</Keys>}
            onClick={run((one, it) => moveBlock(one, it, -1))}
          >
            Move up
          </Menu.Item>
          <Menu.Item
            leftSection={<ArrowDown size={14} />}
            rightSection={<Keys>Alt ↓</Keys>}
            onClick={run((one, it) => moveBlock(one, it, 1))}
          >
            Move down
          </Menu.Item>
          <Menu.Item
            leftSection={<Copy size={14} />}
            rightSection={<Keys>Ctrl ⇧ D</Keys>}
            onClick={run(duplicateBlock)}
          >
            Duplicate
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            color="red"
            leftSection={<Trash2 size={14} />}
            rightSection={<Keys>Ctrl ⇧ ⌫</Keys>}
            onClick={run(deleteBlock)}
          >
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

const Keys = ({ children }: { children: string }) => <span className={styles['hint']}>{children}</span>;

function topOf(editor: Editor, frame: HTMLElement | null, { pos }: PlacedBlock): number | null {
  if (frame === null || pos > editor.state.doc.content.size) return null;
  const dom = editor.view.nodeDOM(pos);
  if (!(dom instanceof HTMLElement)) return null;
  const box = dom.getBoundingClientRect();
  const line = Number.parseFloat(getComputedStyle(dom).lineHeight) || 24;
  return box.top - frame.getBoundingClientRect().top + Math.max(0, (Math.min(line, box.height) - 22) / 2);
}
