import { useEffect, useEffectEvent } from 'react';
import type { WithPress } from './later-editor.tsx';

interface Place {
  left: number;
  top: number;
}

/** Somebody is there, and does something. */
const USED = 'input, textarea, select, button, a, [contenteditable=true]';

/**
 * Begins to write where the text was pressed before there was an editor. Somebody who has gone on to another field
 * stays there. `frameOf` has the place that the frame of the text had.
 */
export function usePress(
  pressed: WithPress['pressed'],
  frameOf: () => Element | null,
  writeAt: (place: Place) => void,
): void {
  const take = useEffectEvent(() => {
    const press = pressed.take();
    const frame = frameOf();
    if (press === null || frame === null) return;
    // The title of a page has the focus, too, and so has what is around a text that is pressed.
    if (document.activeElement?.matches(USED) === true) return;
    const { left, top } = frame.getBoundingClientRect();
    writeAt({ left: left + press.x, top: top + press.y });
  });
  useEffect(() => {
    take();
  }, []);
}
