import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { getScheduledEmailOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { ScheduledEmail } from '../../api/generated/types.gen.ts';
import { pb } from '../../lib/paths.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { JsonView } from '../../ui/code/JsonView.tsx';
import { TimeLine } from '../../ui/data/TimeLine.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { lazyTab } from '../../ui/record/lazy-tab.tsx';
import { Properties } from '../../ui/record/Properties.tsx';
import { RecordPage } from '../../ui/record/RecordPage.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { ScheduledActions } from './ScheduledActions.tsx';
import { LocalTime } from './LocalTime.tsx';
import { propertiesOf } from './scheduled-properties.tsx';
import { STATES, titleOf } from './scheduled-state.ts';
import { timeLineOf } from './scheduled-time-line.tsx';
import classes from './scheduled.module.css';

const ContentTab = lazyTab('content', () => import('./ContentTab.tsx').then((file) => file.ContentTab));

const POLL_MS = 6_000;
const SOON_MS = 1_500;

/** Often around its time, and not at all when it has ended. */
function pollOf(email: ScheduledEmail | undefined): number | false {
  if (email === undefined || email.status === 'processing') return SOON_MS;
  if (email.status !== 'scheduled') return false;
  return Date.parse(email.scheduled_for) - Date.now() < 2 * POLL_MS ? SOON_MS : POLL_MS;
}

const CRUMBS = [{ label: 'Scheduled emails', href: pb.scheduled() }];

/** One email that leaves later: its time, its content, what was done to it, and how to change it. */
export function ScheduledEmailPage() {
  const { id = '' } = useParams({ strict: false });
  const [{ tab }, setUrl] = useUrlState(['tab', 'width', 'scheme', 'pictures']);
  const {
    data: email,
    error,
    refetch,
  } = useQuery({
    ...getScheduledEmailOptions({ path: { id } }),
    refetchInterval: ({ state: { data } }) => pollOf(data),
  });
  const words = email && STATES[email.status];
  const tabs = email && [
    { id: 'overview', label: 'Overview', content: () => <Overview email={email} /> },
    { id: 'content', label: 'Content', content: () => <ContentTab email={email} /> },
    { id: 'data', label: 'Data', content: () => <JsonView value={email} label="the email as the API gives it" /> },
  ];
  return (
    <RecordPage
      title={email && titleOf(email)}
      crumbs={CRUMBS}
      badge={words && <StatusBadge tone={words.tone}>{words.label}</StatusBadge>}
      actions={
        email && (
          <>
            <CurlButton call={{ method: 'GET', path: `/v1/scheduled/${id}` }} />
            <ScheduledActions email={email} />
          </>
        )
      }
      notice={email && <Standing email={email} />}
      {...(tabs === undefined ? {} : { tabs })}
      tab={tab}
      onTab={(next) => setUrl({ tab: next, width: undefined, scheme: undefined, pictures: undefined })}
      error={error}
      onRetry={() => void refetch()}
    />
  );
}

/** The one sentence about how it stands. */
function Standing({ email }: { email: ScheduledEmail }) {
  const { status, error, job_id: jobId } = email;
  const its = jobId !== null && <a href={pb.send(jobId)}>See its emails</a>;
  if (status === 'failed') return <Notice tone="bad">Nothing was sent: {error ?? 'the cause is not known'}</Notice>;
  if (status === 'cancelled') return <Notice tone="quiet">It is cancelled, and is never sent.</Notice>;
  if (status === 'processing') return <Notice tone="info">Its emails are in the queue. {its}</Notice>;
  if (status === 'sent') return <Notice tone="ok">It was sent. {its}</Notice>;
  return (
    <>
      <LocalTime email={email} />
      {email.sandbox && <Notice tone="quiet">It was made with a test key: it stays on this server.</Notice>}
    </>
  );
}

function Overview({ email }: { email: ScheduledEmail }) {
  return (
    <div className={classes['overview']}>
      <section aria-labelledby="time-line">
        <h2 id="time-line" className={classes['heading']}>
          Time line
        </h2>
        <TimeLine label="Changes" entries={timeLineOf(email)} />
      </section>
      <section aria-labelledby="record">
        <h2 id="record" className={classes['heading']}>
          Record
        </h2>
        <Properties items={propertiesOf(email)} />
      </section>
    </div>
  );
}
