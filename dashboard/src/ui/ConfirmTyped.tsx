import { lazyDialog } from '../lib/lazy-part.tsx';

/** For what cannot be undone: the button works once the person has typed the exact count or name. */
export const ConfirmTyped = lazyDialog(() =>
  import('./dialog/ConfirmTypedLoaded.tsx').then((file) => file.ConfirmTypedLoaded),
);
