import { Skeleton } from '@mantine/core';
import { counted } from '../../../lib/number.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { CHECKED_LATER, isFaultOfText, type IssueIds, useIssueCheck } from './SendIssue.tsx';
import classes from './issues.module.css';

const LEVELS = {
  error: { label: 'Prevents sending', tone: 'bad' },
  warning: { label: 'Look at this', tone: 'warn' },
  ok: { label: 'In order', tone: 'ok' },
} as const;

interface Props {
  path: IssueIds;
  version: unknown;
  /** False: there are words that the server has not seen, so a fault of its text may be none any more. */
  isSaved: boolean;
}

/** The findings of the server in the saved text, faults first. */
export function CheckPanel({ path, version, isSaved }: Props) {
  const { data, error, refetch, isPlaceholderData } = useIssueCheck(path, version);
  const isOutdated = !isSaved || isPlaceholderData;
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
            .filter((check) => check.level === level && !(isOutdated && isFaultOfText(check)))
            .map(({ id, message }) => (
              <li key={`${id} ${message}`}>
                <StatusBadge tone={LEVELS[level].tone}>{LEVELS[level].label}</StatusBadge>
                <p>{message}</p>
              </li>
            )),
        )}
      </ul>
      {isOutdated && data.checks.some(isFaultOfText) && <p>{CHECKED_LATER}</p>}
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
