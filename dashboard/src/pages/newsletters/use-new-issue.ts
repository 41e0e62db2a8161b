import { useRouter } from '@tanstack/react-router';
import { createIssue } from '../../api/generated/sdk.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { pb } from '../../lib/paths.ts';
import { toastError } from '../../ui/toasts.tsx';
import { UNTITLED } from './defaults.ts';

/** Makes a draft in a newsletter and opens it in the editor. */
export function useNewIssue() {
  const router = useRouter();
  return useWrite({
    call: (newsletterId: string) =>
      createIssue({ path: { id: newsletterId }, body: { subject: UNTITLED, html_body: '' }, throwOnError: true }),
    changes: ['listIssues'],
    onDone: ({ id }, newsletterId) => router.history.push(pb.issueEdit(newsletterId, id)),
    onError: toastError,
  });
}
