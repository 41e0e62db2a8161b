import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listSessionsOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import { endOtherSessions, endSession } from '../../../api/generated/sdk.gen.ts';
import type { Session } from '../../../api/generated/types.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { counted } from '../../../lib/number.ts';
import { useUrlState } from '../../../lib/use-url-state.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { Section } from '../../../ui/Section.tsx';
import { toastDone, toastError } from '../../../ui/toasts.tsx';
import { deviceOf } from './device.ts';
import classes from '../account.module.css';

/** The browsers and programs that are signed in as this person. */
export function Sessions() {
  const [{ after }, setUrl] = useUrlState(['after']);
  const { data, error, refetch } = useQuery(
    listSessionsOptions({ query: { limit: '50', ...(after === undefined ? {} : { cursor: after }) } }),
  );
  const endOthers = useWrite({
    call: () => endOtherSessions({ throwOnError: true }),
    changes: ['listSessions'],
    onDone: ({ ended }) => toastDone(`${counted(ended, 'other session is', 'other sessions are')} signed out.`),
    onError: toastError,
  });
  const sessions = data?.data;
  const next = data?.next_cursor ?? undefined;
  const isAlone = after === undefined && next === undefined && sessions?.every(({ current }) => current) === true;
  return (
    <Section
      title="Sessions"
      description="Where you are signed in. Sign out what you do not know, and change your password."
      actions={
        <ActionButton
          variant="default"
          size="xs"
          loading={endOthers.isPending}
          disabledReason={isAlone ? 'You are signed in only here.' : undefined}
          onClick={() => endOthers.mutate(undefined)}
        >
          Sign out everywhere else
        </ActionButton>
      }
    >
      {sessions === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {sessions === undefined && error === null && <Skeleton height={96} />}
      {sessions !== undefined && (
        <ul className={classes['rows']}>
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      )}
      {(after !== undefined || next !== undefined) && (
        <div className={classes['codeButtons']}>
          {after !== undefined && (
            <Button variant="default" size="xs" onClick={() => setUrl({ after: undefined }, { push: true })}>
              Newest sessions
            </Button>
          )}
          {next !== undefined && (
            <Button variant="default" size="xs" onClick={() => setUrl({ after: next }, { push: true })}>
              Older sessions
            </Button>
          )}
        </div>
      )}
    </Section>
  );
}

function SessionRow({ session }: { session: Session }) {
  const end = useWrite({
    call: () => endSession({ path: { id: session.id }, throwOnError: true }),
    changes: ['listSessions'],
    onDone: () => toastDone('The session is signed out.'),
    onError: toastError,
  });
  return (
    <li className={classes['row']}>
      <div>
        <div className={classes['rowTitle']} title={session.user_agent ?? undefined}>
          {deviceOf(session.user_agent)}
          {session.current && <span className={classes['here']}>This browser</span>}
        </div>
        <div className={classes['rowText']}>
          {session.ip ?? 'Unknown address'} · used <RelativeTime at={session.last_used_at} /> · signed in{' '}
          <RelativeTime at={session.created_at} />
        </div>
      </div>
      <ActionButton
        variant="default"
        size="xs"
        loading={end.isPending}
        aria-label={`Sign out ${deviceOf(session.user_agent)}`}
        disabledReason={session.current ? 'Sign out of this browser in the menu of your account.' : undefined}
        onClick={() => end.mutate(undefined)}
      >
        Sign out
      </ActionButton>
    </li>
  );
}
