import { useWhyNot } from '../../api/session.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { useNewIssue } from './use-new-issue.ts';

/** Makes a draft and opens it in the editor. */
export function NewIssue({ newsletterId, variant = 'filled' }: { newsletterId: string; variant?: string }) {
  const whyNot = useWhyNot('issues:write');
  const write = useNewIssue();
  return (
    <ActionButton
      variant={variant}
      loading={write.isPending}
      disabledReason={whyNot}
      onClick={() => write.mutate(newsletterId)}
    >
      New issue
    </ActionButton>
  );
}
