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
 * 300 ms. A function of the part's own properties can show what they say.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  whileLoading: ReactNode | ((props: P) => ReactNode) = null,
): Lazy<P> {
  let loaded: ComponentType<P> | undefined;
  const bring = async (): Promise<ComponentType<P>> => (loaded ??= await connection.load(load));
  const Waiting = lazy(async () => ({ default: await bring() }));
  const Part = (props: P) => {
    const [Loaded] = useState(() => loaded); // the same for as long as the part is shown: another would be drawn anew
    if (Loaded !== undefined) return <Loaded {...props} />;
    return (
      <Suspense fallback={typeof whileLoading === 'function' ? whileLoading(props) : whileLoading}>
        <Waiting {...props} />
      </Suspense>
    );
  };
  return Object.assign(Part, { load: bring });
}

/**
 * The same for a part whose properties `Fallback` shows until then. The chunk is asked for when those are painted: a
 * large one that comes at once would run before them.
 */
export function lazyAfterPaint<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Fallback: ComponentType<P>,
): (props: P) => ReactNode {
  const painted = Promise.withResolvers<void>();
  const bring = async (): Promise<ComponentType<P>> => {
    await painted.promise;
    return load();
  };
  const Waiting = lazyPart<P>(bring, (props) => <Fallback {...props} />);
  return function Part(props: P) {
    useEffect(() => {
      return afterPaint(painted.resolve);
    }, []);
    return <Waiting {...props} />;
  };
}

/** Nothing is painted of a page that nobody sees, so that it is not waited for. Returns how to call it off. */
function afterPaint(then: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = () => {
    timer = setTimeout(then);
  };
  const frame = document.hidden ? undefined : requestAnimationFrame(soon);
  if (frame === undefined) soon();
  return () => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
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
