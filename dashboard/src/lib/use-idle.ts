import { useEffect, useState } from 'react';

/** A busy page is not idle for long; the part is then shown all the same. */
const LATEST_MS = 1_000;

/** True once the browser has shown the page and has nothing else to do: for parts that are dear to draw. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const show = () => setIdle(true);
    // Safari has no `requestIdleCallback`.
    if (typeof window.requestIdleCallback !== 'function') {
      const timer = setTimeout(show);
      return () => clearTimeout(timer);
    }
    const asked = window.requestIdleCallback(show, { timeout: LATEST_MS });
    return () => window.cancelIdleCallback(asked);
  }, []);
  return isIdle;
}
