import { sendTestOfIssue } from '../../../api/generated/sdk.gen.ts';
import { useSession, useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { SendTestButton } from '../../../ui/form/SendTestButton.tsx';
import { toastDone } from '../../../ui/toasts.tsx';
import type { IssueIds } from './SendIssue.tsx';

export function SendTest({ path, held }: { path: IssueIds; held?: string | undefined }) {
  const { me } = useSession();
  const roleReason = useWhyNot('issues:send');
  const write = useWrite({
    call: (to: string) => sendTestOfIssue({ path, body: { to }, throwOnError: true }),
    changes: ['listEmails', 'listCapturedEmails'],
    onDone: ({ to }) => toastDone(`A test is on its way to ${to}.`),
  });
  return <SendTestButton own={me.email} write={write} disabledReason={roleReason ?? held} />;
}
