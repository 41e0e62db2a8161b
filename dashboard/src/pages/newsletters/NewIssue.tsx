import { useRouter } from '@tanstack/react-router';
import { createIssue } from '../../api/generated/sdk.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { pb } from '../../lib/paths.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { toastError } from '../../ui/toasts.tsx';
import { UNTITLED } from './defaults.ts';

/** Makes a draft and opens it in the editor. */
export function NewIssue({ newsletterId, variant = 'filled' }: { newsletterId: string; variant?: string }) {
  const router = useRouter();
  const whyNot = useWhyNot('issues:write');
  const write = useWrite({
    call: () =>
      createIssue({
        path: { id: newsletterId },
        body: { subject: UNTITLED, html_body: '' },
        throwOnError: true,
      }),
    changes: ['listIssues'],
    onDone: ({ id }) => router.history.push(pb.issueEdit(newsletterId, id)),
    onError: toastError,
  });
  return (
    <ActionButton
      variant={variant}
      loading={write.isPending}
      disabledReason={whyNot}
      onClick={() => write.mutate(undefined)}
    >
      New issue
    </ActionButton>
  );
}
