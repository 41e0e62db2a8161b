import { useEffect } from 'react';

/** Whether a key belongs to what has the focus: a field, an editor, a menu or a dialog. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(
      'input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=menu], [role=dialog]',
    ) !== null
  );
}

/** Runs single keys of a page (`j`, `x`, `/`). Keys with Ctrl, Alt or Meta stay the browser's. */
export function useKeys(keys: Readonly<Record<string, (event: KeyboardEvent) => void>>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      keys[event.key]?.(event);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
}
