import { useQuery } from '@tanstack/react-query';
import { Circle, CircleAlert, CircleCheck } from 'lucide-react';
import { listRelaySessionsOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { RelaySession } from '../../api/generated/types.gen.ts';
import { pb } from '../../lib/paths.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import classes from './relay.module.css';

const POLL_MS = 3_000;

/** Ticks by itself when a program has signed in, and when its message has come; a refusal is told with its reason. */
export function FirstMessage() {
  const { data, error, refetch } = useQuery({
    ...listRelaySessionsOptions({ query: { limit: '1' } }),
    refetchInterval: POLL_MS,
  });
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const [last] = data?.data ?? [];
  return (
    <div className={classes['first']} data-state={stateOf(last)}>
      <Icon session={last} />
      <div>
        <div className={classes['firstTitle']} role="status">
          {titleOf(last)}
        </div>
        <div className={classes['firstText']}>
          {last === undefined ? (
            'Set up a program and send a message with it. This page notices by itself. A wrong key is nobody’s and is not seen here: the program is told so.'
          ) : (
            <>
              {last.client_name ?? last.ip} with the key <a href={pb.key(last.api_key.id)}>{last.api_key.name}</a>,{' '}
              <RelativeTime at={last.started_at} />. <Detail session={last} />
            </>
          )}
        </div>
      </div>
    </div>
  );
}

const isRefused = ({ accepted, refused }: RelaySession): boolean => accepted === 0 && refused > 0;

function stateOf(session: RelaySession | undefined): 'none' | 'ok' | 'bad' {
  if (session === undefined) return 'none';
  return isRefused(session) ? 'bad' : 'ok';
}

function Icon({ session }: { session: RelaySession | undefined }) {
  if (session === undefined) return <Circle size={18} aria-hidden="true" />;
  return isRefused(session) ? (
    <CircleAlert size={18} aria-hidden="true" />
  ) : (
    <CircleCheck size={18} aria-hidden="true" />
  );
}

function titleOf(session: RelaySession | undefined): string {
  if (session === undefined) return 'No program has signed in during the last seven days';
  if (isRefused(session)) return 'A program was refused';
  return session.accepted > 0
    ? 'A program has signed in, and its message was accepted'
    : 'A program has signed in, and has sent nothing yet';
}

function Detail({ session }: { session: RelaySession }) {
  const [refusal] = session.refusals;
  const [job] = session.job_ids.slice(-1);
  if (session.accepted === 0 && refusal !== undefined) return <>{refusal.text}</>;
  return job === undefined ? null : <a href={pb.send(job)}>See its last message</a>;
}
