import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import type { Editor } from '@tiptap/core';
import { closeHistory } from '@tiptap/pm/history';
import type { Command } from '@tiptap/pm/state';
import {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  addRowBefore,
  deleteColumn,
  deleteRow,
  deleteTable,
  isInTable,
  selectedRect,
  toggleHeaderRow,
} from '@tiptap/pm/tables';
import { useEditorState } from '@tiptap/react';
import { Table as TableIcon } from 'lucide-react';
import { useState } from 'react';
import { TABLE_COLUMNS_MAX, TABLE_ROWS_MAX } from '../../lib/blocks/document.ts';

interface Action {
  label: string;
  command: Command;
  adds?: 'row' | 'column';
}

const ACTIONS: readonly (readonly Action[])[] = [
  [
    { label: 'Add a row above', command: addRowBefore, adds: 'row' },
    { label: 'Add a row below', command: addRowAfter, adds: 'row' },
    { label: 'Add a column on the left', command: addColumnBefore, adds: 'column' },
    { label: 'Add a column on the right', command: addColumnAfter, adds: 'column' },
  ],
  [{ label: 'Headings in the first row', command: toggleHeaderRow }],
  [
    { label: 'Delete the row', command: deleteRow },
    { label: 'Delete the column', command: deleteColumn },
    { label: 'Delete the table', command: deleteTable },
  ],
];

/** Of the table that the cursor is in; nothing outside of one. */
export function TableMenu({ editor }: { editor: Editor }) {
  const size = useEditorState({
    editor,
    selector: ({ editor: { state } }) => {
      if (!isInTable(state)) return null;
      const { width, height } = selectedRect(state).map;
      return { column: width < TABLE_COLUMNS_MAX, row: height < TABLE_ROWS_MAX };
    },
  });
  const [isOpen, setOpen] = useState(false);
  if (size === null) return null;
  return (
    <Menu position="bottom-end" shadow="md" width={230} returnFocus={false} onChange={setOpen}>
      <Menu.Target>
        <Tooltip label="Rows and columns" openDelay={400} disabled={isOpen}>
          <ActionIcon variant="light" color="gray" size="md" aria-label="Rows and columns">
            <TableIcon size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {ACTIONS.map((group, at) => [
          at === 0 ? null : <Menu.Divider key={group[0]?.label} />,
          ...group.map(({ label, command, adds }) => (
            <Menu.Item
              key={label}
              disabled={adds !== undefined && !size[adds]}
              onClick={() => {
                // Undo takes back this step alone, and not the words that were typed just before it.
                command(editor.state, (tr) => editor.view.dispatch(closeHistory(tr)), editor.view);
                editor.view.focus();
              }}
            >
              {label}
            </Menu.Item>
          )),
        ])}
      </Menu.Dropdown>
    </Menu>
  );
}
