import { lazyAfterPaint } from '../../lib/lazy-part.tsx';
import { SourceFallback } from './fallback/SourceFallback.tsx';

/** The editor of HTML, in a chunk of its own as that of blocks is. */
export const HtmlSource = lazyAfterPaint(
  () => import('./HtmlSource.tsx').then((file) => file.HtmlSource),
  SourceFallback,
);
