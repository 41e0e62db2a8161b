import type { ComponentType } from 'react';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { TabSkeleton } from './TabSkeleton.tsx';

/** A tab behind the first, in a chunk that is loaded when it is opened. */
export const lazyTab = <P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> =>
  lazyPart(load, <TabSkeleton />);
