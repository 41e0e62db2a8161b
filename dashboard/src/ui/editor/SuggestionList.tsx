import { useEffect, useId, useRef, useSyncExternalStore } from 'react';
import styles from './editor.module.css';
import type { MenuState } from './suggestions.ts';

/** The list of a menu that opens while one types. The keyboard stays in the text, which names the active item. */
export function SuggestionList({ state, label, element }: { state: MenuState; label: string; element: HTMLElement }) {
  const menu = useSyncExternalStore(state.subscribe, state.get);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const active = menu?.active ?? -1;
  const isOpen = menu !== null;
  useEffect(() => {
    if (!isOpen) return;
    element.setAttribute('aria-controls', id);
    element.setAttribute('aria-activedescendant', `${id}-${active}`);
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
    return () => {
      element.removeAttribute('aria-controls');
      element.removeAttribute('aria-activedescendant');
    };
  }, [element, id, isOpen, active]);
  if (menu === null) return null;
  const { rect, items, choose } = menu;
  const below = rect !== null && rect.bottom + 330 < window.innerHeight;
  const place =
    rect === null
      ? {}
      : {
          left: Math.min(rect.left, window.innerWidth - 296),
          ...(below ? { top: rect.bottom + 6 } : { bottom: window.innerHeight - rect.top + 6 }),
        };
  return (
    <div className={styles['menu']} style={place} role="listbox" id={id} aria-label={label} ref={list}>
      {items.map((item, index) => (
        // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the focus stays in the text, as in a combobox
        <div
          key={item.id}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          className={styles['option']}
          onMouseEnter={() => state.set({ ...menu, active: index })}
          onMouseDown={(event) => {
            event.preventDefault();
            choose(index);
          }}
        >
          <span>{item.label}</span>
          <span className={styles['hint']}>{item.hint}</span>
        </div>
      ))}
      <div className={styles['spoken']} role="status">
        {items[active] === undefined ? '' : `${items[active].label}, ${active + 1} of ${items.length}`}
      </div>
    </div>
  );
}
