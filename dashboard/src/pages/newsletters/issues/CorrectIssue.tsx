import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { correctIssue } from '../../../api/generated/sdk.gen.ts';
import type { Issue } from '../../../api/generated/types.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { lazyDialog } from '../../../lib/lazy-part.tsx';
import { pb } from '../../../lib/paths.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { ISSUE_CHANGES, type IssueIds } from './SendIssue.tsx';

const CorrectionDialog = lazyDialog(() =>
  import('../../../ui/results/CorrectionDialog.tsx').then((file) => file.CorrectionDialog),
);

/** A draft for those who were sent the issue, or one version of it. */
export function CorrectIssue({ path, issue: { stats } }: { path: IssueIds; issue: Issue }) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const write = useWrite({
    call: (version: number | null) => correctIssue({ path, body: { content_version: version }, throwOnError: true }),
    changes: ISSUE_CHANGES,
    onDone: ({ id }) => router.history.push(pb.issueEdit(path.id, id)),
  });
  return (
    <>
      <ActionButton variant="default" disabledReason={useWhyNot('issues:write')} onClick={() => setOpen(true)}>
        Write a correction
      </ActionButton>
      <CorrectionDialog
        opened={isOpen}
        versions={stats.by_version}
        sent={stats.sent}
        problem={write.error ?? undefined}
        loading={write.isPending}
        onWrite={write.mutate}
        onClose={() => setOpen(false)}
      />
    </>
  );
}
