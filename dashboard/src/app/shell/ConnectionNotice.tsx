import { Notice } from '../../ui/Notice.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import classes from './Shell.module.css';
import { useLostConnection } from './use-lost-connection.ts';

/** Stays at the top of every page until the server answers again. The region is there before, and is read out. */
export function ConnectionNotice() {
  const lostSince = useLostConnection();
  return (
    <div className={classes['connection']} role="status">
      {lostSince !== undefined && (
        <Notice tone="warn">
          There is no connection to the server. The last answer came{' '}
          <RelativeTime at={new Date(lostSince).toISOString()} />. The page catches up by itself.
        </Notice>
      )}
    </div>
  );
}
