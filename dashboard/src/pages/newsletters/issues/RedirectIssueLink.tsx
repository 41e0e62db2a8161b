import { redirectIssueLink } from '../../../api/generated/sdk.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import type { LinkRow } from '../../../ui/results/LinkTable.tsx';
import { RedirectButton } from '../../../ui/results/RedirectButton.tsx';
import { toastDone } from '../../../ui/toasts.tsx';
import type { IssueIds } from './SendIssue.tsx';

export function RedirectIssueLink({ path, link }: { path: IssueIds; link: LinkRow }) {
  const write = useWrite({
    call: (body: { from: string; to: string }) => redirectIssueLink({ path, body, throwOnError: true }),
    changes: ['listIssueLinks', 'getIssue'],
    onDone: () => toastDone('The link is redirected in a few seconds.'),
  });
  return <RedirectButton link={link} write={write} disabledReason={useWhyNot('issues:send')} />;
}
