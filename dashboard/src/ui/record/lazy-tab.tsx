import type { ComponentType } from 'react';
import { type Lazy, lazyPart } from '../../lib/lazy-part.tsx';
import { TabSkeleton } from './TabSkeleton.tsx';

/**
 * A tab behind the first, in a chunk of its own: `lazyTab('links', () => import('./Links.tsx').then(…))`. The build
 * reads the name and the file (`preloads.config.ts`), so that the server names the chunk in the page that opens with
 * this tab. Such a page loads it beside its record; every other one when the tab is opened.
 */
export function lazyTab<P extends object>(tab: string, load: () => Promise<ComponentType<P>>): Lazy<P> {
  const Tab = lazyPart(load, <TabSkeleton />);
  const opened = new URLSearchParams(window.location.search).get('tab');
  if (opened === tab) void Tab.load().catch(() => undefined); // showing it tries again
  return Tab;
}
