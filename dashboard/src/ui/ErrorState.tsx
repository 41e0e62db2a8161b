import { Button } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { errorParts, isForbidden, isMissing } from '../lib/api-error.ts';
import { CopyButton } from './CopyButton.tsx';
import classes from './Notice.module.css';

/**
 * A failure in words, with its request id to copy. `onRetry` where the same question may now have an answer: a missing
 * record stays missing, and a role that may not still may not.
 */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const { sentence, requestId } = errorParts(error);
  return (
    <div className={classes['notice']} data-tone="bad" role="alert">
      <CircleAlert size={16} aria-hidden="true" />
      <div className={classes['body']}>
        <div>{sentence}</div>
        {requestId !== undefined && (
          <div className={classes['id']}>
            <span>Request</span> <code>{requestId}</code> <CopyButton value={requestId} label="Copy the request id" />
          </div>
        )}
      </div>
      {onRetry !== undefined && !isMissing(error) && !isForbidden(error) && (
        <Button variant="default" size="xs" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
