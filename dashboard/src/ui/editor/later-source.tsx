import { laterEditor } from './fallback/later-editor.tsx';
import { SourceFallback } from './fallback/SourceFallback.tsx';

/** The editor of HTML, in a chunk of its own as that of blocks is. */
export const HtmlSource = laterEditor(() => import('./HtmlSource.tsx').then((file) => file.HtmlSource), SourceFallback);
