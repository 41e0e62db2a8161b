import { useRouterState } from '@tanstack/react-router';
import { Notice } from '../../ui/Notice.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { isActive, NAVIGATION } from '../navigation.ts';
import classes from './Shell.module.css';
import { useLostConnection } from './use-lost-connection.ts';

/** Stays at the top of every page until the server answers again. The region is there before, and is read out. */
export function ConnectionNotice() {
  const lostSince = useLostConnection();
  const awaited = useAwaitedPage();
  return (
    <div className={classes['connection']} role="status">
      {lostSince !== undefined && (
        <Notice tone="warn">
          There is no connection to the server. The last answer came{' '}
          <RelativeTime at={new Date(lostSince).toISOString()} />.{' '}
          {awaited === undefined ? 'The page catches up by itself.' : `${awaited} opens when the connection is back.`}
        </Notice>
      )}
    </div>
  );
}

/** The name of the page that a person went to, while its files are still to come: the page before is shown. */
function useAwaitedPage(): string | undefined {
  const path = useRouterState({
    select: ({ isLoading, location }) => (isLoading ? location.pathname : undefined),
  });
  if (path === undefined) return undefined;
  const entries = NAVIGATION.flatMap(({ items }) => items);
  return entries.find((entry) => isActive(entry, path))?.label ?? 'The page';
}
