import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { explainEmailOptions, getEmailOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { Email, EmailExplanation } from '../../api/generated/types.gen.ts';
import { EMAIL_STATUSES, isOnItsWay } from '../../lib/mail/email-status.ts';
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
import { titleOf } from './email-title.ts';
import { EmailActions } from './EmailActions.tsx';
import { timeLineOf } from './email-time-line.tsx';
import { propertiesOf } from './email-properties.tsx';
import classes from './emails.module.css';
import { inWordsOfThePage } from './next-step.ts';

const EmailContentTab = lazyTab('content', () =>
  import('./content/EmailContentTab.tsx').then((file) => file.EmailContentTab),
);

const POLL_MS = 3_000;
/** Opens, clicks and complaints come long after the delivery. */
const SETTLED_POLL_MS = 15_000;
const CRUMBS = [{ label: 'Emails', href: pb.emails() }];

const pollOf = (email: Email | undefined): number =>
  email !== undefined && isOnItsWay(email.status) ? POLL_MS : SETTLED_POLL_MS;

/** One email: what became of it and why, its content, and what can be done. */
export function EmailPage() {
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const [{ tab }, setUrl] = useUrlState(['tab']);
  const {
    data: email,
    error,
    refetch,
  } = useQuery({
    ...getEmailOptions({ path: { id } }),
    refetchInterval: ({ state }) => pollOf(state.data),
  });
  const { data: explanation } = useQuery({
    ...explainEmailOptions({ path: { id } }),
    enabled: email !== undefined,
    refetchInterval: pollOf(email),
  });
  const words = email && EMAIL_STATUSES[email.status];
  const tabs = email && [
    { id: 'overview', label: 'Overview', content: () => <Overview email={email} explanation={explanation} /> },
    { id: 'content', label: 'Content', content: () => <EmailContentTab email={email} /> },
    {
      id: 'data',
      label: 'Data',
      content: () => <JsonView value={email} label="the email as the API gives it" />,
    },
  ];
  return (
    <RecordPage
      title={email && titleOf(email)}
      crumbs={CRUMBS}
      badge={words && <StatusBadge tone={words.tone}>{words.label}</StatusBadge>}
      actions={
        email && (
          <>
            <CurlButton call={{ method: 'GET', path: `/v1/emails/${id}` }} />
            <EmailActions email={email} />
          </>
        )
      }
      notice={explanation && <Explanation explanation={explanation} />}
      {...(tabs === undefined ? {} : { tabs })}
      tab={tab}
      onTab={(next) => setUrl({ tab: next })}
      error={error}
      onRetry={() => void refetch()}
    />
  );
}

function Explanation({ explanation: { status, verdict, next_step } }: { explanation: EmailExplanation }) {
  return (
    <Notice tone={EMAIL_STATUSES[status].tone}>
      {verdict}
      {next_step !== null && <div className={classes['next']}>{inWordsOfThePage(next_step)}</div>}
    </Notice>
  );
}

function Overview({ email, explanation }: { email: Email; explanation: EmailExplanation | undefined }) {
  return (
    <div className={classes['overview']}>
      <section aria-labelledby="time-line">
        <h2 id="time-line" className={classes['heading']}>
          Time line
        </h2>
        <TimeLine label="What happened" entries={timeLineOf(email, explanation)} />
        {email.events_truncated && (
          <p className={classes['quiet']}>
            There are more than 1,000 events. <a href={`${pb.events()}?email_id=${email.id}`}>See all of them</a>
          </p>
        )}
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
