import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { connection } from './connection.ts';

/** A part in a chunk of its own. */
export interface Lazy<P> {
  (props: P): ReactNode;
  /** Loads the chunk before the part is shown. */
  load: () => Promise<unknown>;
}

/**
 * A part of a page in a chunk of its own, loaded when it is first shown:
 * `lazyPart(() => import('./PlanStep.tsx').then((file) => file.PlanStep))`.
 *
 * One that is loaded by then is drawn at once. React would else show `whileLoading` in its place, and keep that for
 * 300 ms.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  whileLoading: ReactNode = null,
): Lazy<P> {
  let loaded: ComponentType<P> | undefined;
  const bring = async (): Promise<ComponentType<P>> => (loaded ??= await connection.load(load));
  const Waiting = lazy(async () => ({ default: await bring() }));
  const Part = (props: P) => {
    const [Loaded] = useState(() => loaded); // the same for as long as the part is shown: another would be drawn anew
    if (Loaded !== undefined) return <Loaded {...props} />;
    return (
      <Suspense fallback={whileLoading}>
        <Waiting {...props} />
      </Suspense>
    );
  };
  return Object.assign(Part, { load: bring });
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
      const timer = setTimeout(() => void Part.load().catch(() => undefined), SOON_MS); // opening it tries again
      return () => clearTimeout(timer);
    }, []);
    if (props.opened && !wasOpened) setWasOpened(true);
    return wasOpened ? <Part {...props} /> : null;
  };
}
