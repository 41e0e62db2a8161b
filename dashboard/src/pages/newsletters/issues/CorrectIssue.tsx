import { useRouter } from '@tanstack/react-router';
import { correctIssue } from '../../../api/generated/sdk.gen.ts';
import type { Issue } from '../../../api/generated/types.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { pb } from '../../../lib/paths.ts';
import { CorrectionButton } from '../../../ui/results/CorrectionButton.tsx';
import { ISSUE_CHANGES, type IssueIds } from './SendIssue.tsx';

export function CorrectIssue({ path, issue: { stats } }: { path: IssueIds; issue: Issue }) {
  const router = useRouter();
  const write = useWrite({
    call: (version: number | null) => correctIssue({ path, body: { content_version: version }, throwOnError: true }),
    changes: ISSUE_CHANGES,
    onDone: ({ id }) => router.history.push(pb.issueEdit(path.id, id)),
  });
  return <CorrectionButton stats={stats} write={write} disabledReason={useWhyNot('issues:write')} />;
}
