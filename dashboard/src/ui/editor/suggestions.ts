/** Menus that open while one types: `/` for blocks and `{{` for variables. The list itself is drawn by React. */
import { type Editor, Extension, type Range } from '@tiptap/core';
import { PluginKey } from '@tiptap/pm/state';
import Suggestion from '@tiptap/suggestion';

export interface MenuItem {
  id: string;
  label: string;
  hint: string;
  words: string;
  run(editor: Editor, range: Range): void;
}

export interface OpenMenu {
  items: readonly MenuItem[];
  active: number;
  rect: DOMRect | null;
  choose(index: number): void;
}

export interface MenuState {
  get(): OpenMenu | null;
  set(menu: OpenMenu | null): void;
  subscribe(listener: () => void): () => void;
}

export function menuState(): MenuState {
  let menu: OpenMenu | null = null;
  const listeners = new Set<() => void>();
  return {
    get: () => menu,
    set(next) {
      menu = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** All kinds of blocks, and the first of many variables. */
const SHOWN_MAX = 20;

const matches = (items: readonly MenuItem[], query: string): MenuItem[] => {
  const wanted = query.trim().toLowerCase();
  return items.filter(({ label, words }) => `${label} ${words}`.toLowerCase().includes(wanted)).slice(0, SHOWN_MAX);
};

export const suggestionMenu = (
  name: string,
  {
    char,
    items,
    state,
    prefixes,
    allow = () => true,
  }: {
    char: string;
    items(): readonly MenuItem[];
    state: MenuState;
    /** The characters before which it opens; null: any. */
    prefixes: string[] | null;
    /** It also opens in no code. */
    allow?(editor: Editor): boolean;
  },
) =>
  Extension.create({
    name,
    addProseMirrorPlugins() {
      return [
        Suggestion<MenuItem>({
          editor: this.editor,
          pluginKey: new PluginKey(name),
          char,
          allowSpaces: true,
          allowedPrefixes: prefixes,
          allow: ({ editor }) => !editor.isActive('codeBlock') && !editor.isActive('code') && allow(editor),
          items: ({ query }) => matches(items(), query),
          command: ({ editor, range, props }) => props.run(editor, range),
          render: () => ({
            onStart: (props) => state.set(menuOf(props, 0)),
            onUpdate: (props) => state.set(menuOf(props, 0)),
            onExit: () => state.set(null),
            onKeyDown: ({ event }) => move(event.key, state),
          }),
        }),
      ];
    },
  });

const menuOf = (
  {
    items,
    command,
    clientRect,
  }: { items: MenuItem[]; command(item: MenuItem): void; clientRect?: (() => DOMRect | null) | null },
  active: number,
): OpenMenu | null =>
  items.length === 0
    ? null
    : {
        items,
        active,
        rect: clientRect?.() ?? null,
        choose: (index) => {
          const item = items[index];
          if (item !== undefined) command(item);
        },
      };

function move(key: string, state: MenuState): boolean {
  const menu = state.get();
  if (menu === null) return false;
  const { items, active } = menu;
  const to = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: items.length - 1 }[key];
  if (to !== undefined) {
    state.set({ ...menu, active: (to + items.length) % items.length });
    return true;
  }
  if (key === 'Enter' || key === 'Tab') {
    menu.choose(active);
    return true;
  }
  if (key !== 'Escape') return false;
  state.set(null);
  return true;
}
