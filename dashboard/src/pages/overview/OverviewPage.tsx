import { useOverview } from '../../api/use-overview.ts';
import { useSession } from '../../api/session.ts';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { Numbers } from './Numbers.tsx';
import { PausedSends } from './PausedSends.tsx';
import { SendingHealthSection } from './SendingHealthSection.tsx';
import { SendingNow } from './SendingNow.tsx';

/** How mail is doing: what happened, whether providers will like it, and whether anything waits or stands still. */
export function OverviewPage() {
  const { workspace } = useSession();
  const overview = useOverview();
  const { data } = overview;
  // A browser that knows that it is offline asks nothing, and nothing fails.
  const isCutOff = overview.error !== null || overview.isPaused;
  return (
    <>
      <PageHeader title="Overview" actions={<CurlButton call={{ method: 'GET', path: '/v1/overview' }} />} />
      {workspace !== undefined && (data !== undefined || overview.error === null) && (
        <FirstSteps workspace={workspace} overview={data} />
      )}
      {isCutOff && data !== undefined && (
        <div style={{ marginBottom: 20 }} role="status">
          <Notice tone="warn">
            There is no connection to the server. The numbers are from{' '}
            <RelativeTime at={new Date(overview.dataUpdatedAt).toISOString()} />. The page catches up by itself.
          </Notice>
        </div>
      )}
      {overview.error !== null && data === undefined && (
        <ErrorState error={overview.error} onRetry={() => void overview.refetch()} />
      )}
      {data !== undefined && <PausedSends sends={data.paused_sends} />}
      {workspace !== undefined && <Numbers timezone={workspace.timezone} isFresh={data?.changes.counts === null} />}
      <SendingHealthSection />
      <SendingNow overview={data} />
    </>
  );
}
