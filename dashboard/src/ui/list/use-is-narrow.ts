import { type RefObject, useEffect, useState } from 'react';

/** The bound of DataTable.module.css, which asks the same of the frame. */
const NARROW_PX = 640;

/** Whether an element has less than 640 px. On a phone it is known before the element is measured. */
export function useIsNarrow(ref: RefObject<HTMLElement | null>): boolean {
  const [isNarrow, setNarrow] = useState(() => window.innerWidth < NARROW_PX);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setNarrow(element.clientWidth < NARROW_PX));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return isNarrow;
}
