import { Button } from '@mantine/core';
import { useState } from 'react';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { type Draft, type KeptDraft, keepGivenUp, readGivenUp } from './draft.ts';
import classes from './issues.module.css';

/** The person's own version after they took that of somebody else: in this browser until they put it away. */
export function useGivenUp(issueId: string) {
  const [kept, setKept] = useState<KeptDraft | null>(() => readGivenUp(issueId));
  const set = (next: KeptDraft | null) => {
    keepGivenUp(issueId, next);
    setKept(next);
  };
  return {
    draft: kept?.draft,
    giveUp: (draft: Draft, etag: string) => set({ draft, etag }),
    putAway: () => set(null),
  };
}

interface Props {
  draft: Draft;
  disabled: boolean;
  onTake: () => void;
  onPutAway: () => void;
}

export function GivenUp({ draft, disabled, onTake, onPutAway }: Props) {
  return (
    <Notice
      tone="info"
      action={
        <span className={classes['choices']}>
          <CopyButton value={draft.html} label="Copy the HTML of your version" />
          <Button variant="default" size="xs" disabled={disabled} onClick={onTake}>
            Use your version
          </Button>
          <Button variant="subtle" size="xs" onClick={onPutAway}>
            Discard it
          </Button>
        </span>
      }
    >
      You have their version now. Yours, “{draft.subject || 'Untitled issue'}”, is kept in this browser until you
      discard it.
    </Notice>
  );
}
