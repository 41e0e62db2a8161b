import { sendTestOfIssue } from '../../../api/generated/sdk.gen.ts';
import { useSession, useWhyNot } from '../../../api/session.ts';
import type { Settle } from '../../../lib/drafts/use-writing.ts';
import { useIsCaptured } from '../../../api/use-is-captured.ts';
import { useWrite } from '../../../api/use-write.ts';
import { SendTestButton } from '../../../ui/form/SendTestButton.tsx';
import { toastTest } from '../../../ui/toasts.tsx';
import type { IssueIds } from './SendIssue.tsx';

interface Props {
  path: IssueIds;
  held: string | undefined;
  settle: Settle;
}

export function SendTest({ path, held, settle }: Props) {
  const { me } = useSession();
  const isCaptured = useIsCaptured();
  const roleReason = useWhyNot('issues:send');
  const write = useWrite({
    call: async (to: string) => {
      await settle();
      return sendTestOfIssue({ path, body: { to }, throwOnError: true });
    },
    changes: ['listEmails', 'listCapturedEmails'],
    onDone: async ({ to }) => toastTest(to, await isCaptured()),
  });
  return <SendTestButton own={me.email} write={write} disabledReason={roleReason ?? held} />;
}
