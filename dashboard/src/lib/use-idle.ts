import { flushSync } from 'react-dom';
import { type RefObject, useEffect, useRef, useState } from 'react';

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

/** A chart is loaded and drawn within this way of a thumb. */
const NEAR = '400px';

/** The place of a part, and whether it has come near the window: for parts that are dear to draw. It stays near. */
export function useNear<T extends Element>(): [RefObject<T | null>, boolean] {
  const place = useRef<T>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const show = () => {
      setNear(true);
      stop();
    };
    // Paper has no end, and is laid out right after the event.
    const showAtOnce = () => flushSync(show);
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) show();
      },
      { rootMargin: NEAR },
    );
    const stop = () => {
      observer.disconnect();
      window.removeEventListener('beforeprint', showAtOnce);
    };
    observer.observe(element);
    window.addEventListener('beforeprint', showAtOnce);
    return stop;
  }, []);
  return [place, isNear];
}
