import { lazyDialog } from '../lib/lazy-part.tsx';

/** A dialog of a page. No page needs one at first: the code of dialogs is a chunk, which the first one loads. */
export const Dialog = lazyDialog(() => import('./dialog/LoadedDialog.tsx').then((file) => file.LoadedDialog));
