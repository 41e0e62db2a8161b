import type { ReactNode } from 'react';

type Listener = (element: HTMLElement) => void;

/** A label, or what makes it when it is shown. */
type Label = ReactNode | (() => ReactNode);

const labels = new WeakMap<Element, Label>();
const listeners = new Set<Listener>();

/** Marks an element that says more on hover and on focus: `<span {...hinted('Since Monday')}>`. */
export const hinted = (label: Label) => ({
  'data-hint': true,
  ref: (element: HTMLElement | null) => {
    if (element === null) return undefined;
    labels.set(element, label);
    tell(element);
    return () => {
      labels.delete(element);
      tell(element);
    };
  },
});

/** The element with a hint around a place of the page. */
export const hintedAround = (place: EventTarget | null): HTMLElement | null =>
  place instanceof Element ? place.closest<HTMLElement>('[data-hint]') : null;

/** Undefined when the element has left the page. */
export function labelOf(element: HTMLElement): ReactNode {
  const label = labels.get(element);
  return typeof label === 'function' ? label() : label;
}

/** Calls when the label of an element is another one, and when the element leaves the page. */
export function onHintChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(element: HTMLElement): void {
  for (const listener of listeners) listener(element);
}
