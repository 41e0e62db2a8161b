import { startTransition, useEffect, useState } from 'react';

/** A page that is come back to or reloaded keeps its place, so it is drawn at once. */
export const isReturn = (): boolean =>
  performance.getEntriesByType('navigation').some((entry) => 'type' in entry && entry.type !== 'navigate');

let isFirst = true;

/** True until the first page of a visit is on the screen, whichever it is. */
export const isFirstPage = (): boolean => isFirst;
export const firstPageIsDrawn = (): void => {
  isFirst = false;
};

/**
 * False while a page is first drawn, and true right after that: for what is below the first look. React draws it in
 * short turns, and a phone answers a touch in between.
 */
export function useSecondTurn(isNow = false): boolean {
  const [isTime, setTime] = useState(isNow);
  useEffect(() => {
    startTransition(() => setTime(true));
  }, []);
  return isTime;
}
