import { memo, useEffect } from 'react';
import { useOverview } from '../../api/use-overview.ts';
import { useSession } from '../../api/session.ts';
import { ApiError } from '../../lib/api-error.ts';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { isReturn, useSecondTurn } from '../../lib/use-second-turn.ts';
import { FirstSteps } from './FirstSteps.tsx';
import { Numbers } from './Numbers.tsx';
import { PausedSends } from './PausedSends.tsx';
import { SendingHealthSection } from './SendingHealthSection.tsx';
import { SendingNow } from './SendingNow.tsx';

/** Below the first look, so that the page is there before it. */
const BreakdownSection = lazyPart(() => import('./BreakdownSection.tsx').then((file) => file.BreakdownSection));

// They read themselves what they show. The page looks at the queue every few seconds, and draws only that again.
const OwnNumbers = memo(Numbers);
const OwnBreakdown = memo(BreakdownSection);
const OwnHealth = memo(SendingHealthSection);

/** Somebody who comes back finds the place that they left, so the page is then drawn whole. */
let wasDrawn = false;

/** How mail is doing: what happened, whether providers will like it, and whether anything waits or stands still. */
export function OverviewPage() {
  const { workspace } = useSession();
  const overview = useOverview();
  const { data, error } = overview;
  // The frame says when there is no connection. The numbers of before stay, and are read again after it.
  const isTurnOfRest = useSecondTurn(wasDrawn || isReturn());
  useEffect(() => {
    wasDrawn = true;
  }, []);
  const isLost = error instanceof ApiError && error.kind === 'network';
  return (
    <>
      <PageHeader title="Overview" actions={<CurlButton call={{ method: 'GET', path: '/v1/overview' }} />} />
      {workspace !== undefined && (data !== undefined || error === null) && (
        <FirstSteps workspace={workspace} overview={data} />
      )}
      {error !== null && (data === undefined || !isLost) && (
        <ErrorState error={error} onRetry={() => void overview.refetch()} />
      )}
      {data !== undefined && <PausedSends sends={data.paused_sends} />}
      {isTurnOfRest && (
        <>
          {workspace !== undefined && (
            <>
              <OwnNumbers timezone={workspace.timezone} isFresh={data?.changes.counts === null} />
              <OwnBreakdown timezone={workspace.timezone} />
            </>
          )}
          <OwnHealth />
          <SendingNow overview={data} />
        </>
      )}
    </>
  );
}
