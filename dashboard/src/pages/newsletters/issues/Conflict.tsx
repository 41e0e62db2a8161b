import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { TwoVersions } from '../../../ui/writing/TwoVersions.tsx';
import type { Draft } from './draft.ts';
import { readForEditing } from './read-for-editing.ts';
import type { IssueIds } from './SendIssue.tsx';

interface Props {
  path: IssueIds;
  mine: Draft;
  onMine: (etag: string) => void;
  onTheirs: (theirs: Draft, etag: string) => void;
}

/** Both versions side by side; the person chooses which one stands. */
export function Conflict({ path, mine, onMine, onTheirs }: Props) {
  const [asked] = useState(() => Date.now());
  const { data, error, refetch } = useQuery({
    queryKey: [{ _id: 'issueInConflict', path, asked }],
    queryFn: () => readForEditing(path),
    gcTime: 0,
  });
  if (data === undefined) {
    return error === null ? <Skeleton height={120} /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  const { issue, draft: theirs, etag } = data;
  if (issue.status !== 'draft' && issue.status !== 'scheduled') {
    return (
      <Notice tone="warn" action={<CopyButton value={mine.html} label="Copy your HTML" />}>
        The issue was sent or cancelled in the meantime, so it does not change any more. Your text stays in this
        browser.
      </Notice>
    );
  }
  return (
    <TwoVersions
      noun="issue"
      mine={mine}
      theirs={theirs}
      onMine={() => onMine(etag)}
      onTheirs={() => onTheirs(theirs, etag)}
    />
  );
}
