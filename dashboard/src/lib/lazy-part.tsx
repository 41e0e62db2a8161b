import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { connection } from './connection.ts';

/**
 * A part of a page in a chunk of its own, loaded when it is first shown:
 * `lazyPart(() => import('./PlanStep.tsx').then((file) => file.PlanStep))`.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  whileLoading: ReactNode = null,
): ComponentType<P> {
  const Loaded = lazy(async () => ({ default: await connection.load(load) }));
  return (props) => (
    <Suspense fallback={whileLoading}>
      <Loaded {...props} />
    </Suspense>
  );
}

/** Loads the chunk of a part while the page still reads what the part needs. */
export function useEarly(isWanted: boolean, load: () => Promise<unknown>): void {
  useEffect(() => {
    if (isWanted) void load().catch(() => undefined); // showing it tries again
  }, [isWanted, load]);
}

/** A page is shown and asks for its data first. */
export const SOON_MS = 1_500;

/**
 * The same for a dialog. It is loaded soon after its page is shown, so that it opens at once, also while the server
 * cannot be reached. It stays after it was opened, so that it can close in its own time.
 */
export function lazyDialog<P extends { opened: boolean }>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Part = lazyPart<P>(load);
  return (props) => {
    const [wasOpened, setWasOpened] = useState(props.opened);
    useEffect(() => {
      const timer = setTimeout(() => void load().catch(() => undefined), SOON_MS); // opening it tries again
      return () => clearTimeout(timer);
    }, []);
    if (props.opened && !wasOpened) setWasOpened(true);
    return wasOpened ? <Part {...props} /> : null;
  };
}
