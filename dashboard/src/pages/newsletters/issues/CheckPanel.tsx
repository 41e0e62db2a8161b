import { Skeleton } from '@mantine/core';
import { counted } from '../../../lib/number.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { type IssueIds, useIssueCheck } from './SendIssue.tsx';
import classes from './issues.module.css';

const LEVELS = {
  error: { label: 'Prevents sending', tone: 'bad' },
  warning: { label: 'Look at this', tone: 'warn' },
  ok: { label: 'In order', tone: 'ok' },
} as const;

/** The findings of the server in the saved text, faults first. */
export function CheckPanel({ path, version }: { path: IssueIds; version: unknown }) {
  const { data, error, refetch } = useIssueCheck(path, version);
  if (data === undefined) {
    return error === null ? <Skeleton height={160} /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  const good = data.checks.filter(({ level }) => level === 'ok');
  return (
    <div className={classes['checks']}>
      <p>{counted(data.recipients.will_send, 'reader')} would get it now.</p>
      <ul aria-label="Findings" className={classes['findings']}>
        {(['error', 'warning'] as const).map((level) =>
          data.checks
            .filter((check) => check.level === level)
            .map(({ id, message }) => (
              <li key={`${id} ${message}`}>
                <StatusBadge tone={LEVELS[level].tone}>{LEVELS[level].label}</StatusBadge>
                <p>{message}</p>
              </li>
            )),
        )}
      </ul>
      {good.length > 0 && (
        <details>
          <summary>{counted(good.length, 'check')} in order</summary>
          <ul>
            {good.map(({ id, message }) => (
              <li key={`${id} ${message}`}>{message}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
