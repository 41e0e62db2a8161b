import { useEffect, useState } from 'react';
import { lazyDialog } from '../../lib/lazy-part.tsx';
import { hintedAround, labelOf, onHintChange } from './hinted.ts';

const Hint = lazyDialog(() => import('./Hint.tsx').then((file) => file.Hint));

/** A pointer that only crosses an element asks for nothing. */
const HOVER_MS = 250;

/**
 * Shows the labels of `hinted` elements: one place for all of them, because a list has fifty, and a part of Mantine for
 * each would be most of the work to draw it. The code of the box is loaded after the page.
 */
export function HintPlace() {
  const [target, setTarget] = useState<HTMLElement>();
  const [isOpen, setOpen] = useState(false);
  const [, setChanges] = useState(0);
  useEffect(() => {
    let around: HTMLElement | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (element: HTMLElement) => {
      setTarget(element);
      setOpen(true);
    };
    const lookAt = (element: HTMLElement | null, afterMs: number) => {
      if (element === around) return;
      around = element;
      clearTimeout(timer);
      setOpen(false);
      if (element === null) return;
      if (afterMs === 0) show(element);
      else timer = setTimeout(() => show(element), afterMs);
    };
    // A touch is followed by the events of a mouse, and the box then stays until the next touch elsewhere.
    const onOver = ({ target: over }: MouseEvent) => {
      const element = hintedAround(over);
      if (element !== null || !hasVisibleFocus(around)) lookAt(element, HOVER_MS);
    };
    const onFocus = ({ target: focused }: FocusEvent) => {
      if (focused instanceof Element && focused.matches(':focus-visible')) lookAt(hintedAround(focused), 0);
    };
    const onBlur = ({ target: left }: FocusEvent) => {
      const element = hintedAround(left);
      if (element !== null && element === around && !element.matches(':hover')) lookAt(null, 0);
    };
    const onLeave = () => lookAt(null, 0);
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      clearTimeout(timer);
      setOpen(false);
    };
    const stop = onHintChange((element) => {
      if (element !== around) return;
      setChanges((before) => before + 1);
    });
    document.addEventListener('mouseover', onOver);
    document.addEventListener('focusin', onFocus);
    document.addEventListener('focusout', onBlur);
    document.documentElement.addEventListener('mouseleave', onLeave);
    document.addEventListener('keydown', onKey, { capture: true });
    return () => {
      clearTimeout(timer);
      stop();
      document.removeEventListener('mouseover', onOver);
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('focusout', onBlur);
      document.documentElement.removeEventListener('mouseleave', onLeave);
      document.removeEventListener('keydown', onKey, { capture: true });
    };
  }, []);
  const label = target && labelOf(target);
  return <Hint opened={isOpen && label !== undefined} target={target} label={label} />;
}

const hasVisibleFocus = (element: HTMLElement | null): boolean =>
  element !== null && (element.matches(':focus-visible') || element.querySelector(':focus-visible') !== null);
