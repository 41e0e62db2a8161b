import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { TwoVersions } from '../../../ui/writing/TwoVersions.tsx';
import { isOpen } from '../broadcast-state.ts';
import type { Draft } from './draft.ts';
import { readForEditing } from './read-for-editing.ts';

interface Props {
  id: string;
  mine: Draft;
  onMine: (etag: string) => void;
  onTheirs: (theirs: Draft, etag: string) => void;
}

/** Somebody else has saved: shows both versions, and lets the person choose. */
export function Conflict({ id, mine, onMine, onTheirs }: Props) {
  const [asked] = useState(() => Date.now());
  const { data, error, refetch } = useQuery({
    queryKey: [{ _id: 'broadcastInConflict', id, asked }],
    queryFn: () => readForEditing(id),
    gcTime: 0,
  });
  if (data === undefined) {
    return error === null ? <Skeleton height={120} /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  const { broadcast, draft: theirs, etag } = data;
  if (!isOpen(broadcast)) {
    return (
      <Notice tone="warn" action={<CopyButton value={mine.html} label="Copy your HTML" />}>
        The broadcast was sent or cancelled in the meantime, so it does not change any more. Your text stays in this
        browser.
      </Notice>
    );
  }
  return (
    <TwoVersions
      noun="broadcast"
      mine={mine}
      theirs={theirs}
      onMine={() => onMine(etag)}
      onTheirs={() => onTheirs(theirs, etag)}
    />
  );
}
