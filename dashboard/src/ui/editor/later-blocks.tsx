import { lazyAfterPaint } from '../../lib/lazy-part.tsx';
import { BlocksFallback } from './fallback/BlocksFallback.tsx';

/**
 * The editor of blocks in a chunk of its own. With the page, its 300 kB would delay the first paint of a phone by a
 * second. Until it is there, the text can be read where it will be.
 */
export const BlockEditor = lazyAfterPaint(
  () => import('./BlockEditor.tsx').then((file) => file.BlockEditor),
  BlocksFallback,
);
