import { BlocksFallback } from './fallback/BlocksFallback.tsx';
import { laterEditor } from './fallback/later-editor.tsx';

/**
 * The editor of blocks in a chunk of its own. With the page, its 300 kB would delay the first paint of a phone by a
 * second. Until it is there, the text can be read where it will be.
 */
export const BlockEditor = laterEditor(
  () => import('./BlockEditor.tsx').then((file) => file.BlockEditor),
  BlocksFallback,
);
