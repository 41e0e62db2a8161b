import { useBlocker } from '@tanstack/react-router';
import { lazyDialog } from './lazy-part.tsx';

const UnsavedDialog = lazyDialog(() => import('./unsaved-dialog.tsx').then((file) => file.UnsavedDialog));

/** Asks before a person leaves work behind: inside the dashboard, by closing the tab, and by reloading. */
export function UnsavedGuard({ when, what = 'Your changes are not saved.' }: { when: boolean; what?: string }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => when && current.pathname !== next.pathname,
    enableBeforeUnload: () => when,
    withResolver: true,
  });
  return (
    <UnsavedDialog opened={status === 'blocked'} what={what} onStay={() => reset?.()} onLeave={() => proceed?.()} />
  );
}
