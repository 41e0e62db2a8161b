import { useIsOperator } from '../../api/operator.ts';
import { useSession } from '../../api/session.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { NoWorkspace } from '../../ui/NoWorkspace.tsx';
import { lazyTab } from '../../ui/record/lazy-tab.tsx';
import { RecordPage } from '../../ui/record/RecordPage.tsx';
import { SetUpTab } from './SetUpTab.tsx';

const SessionsTab = lazyTab('sessions', () => import('./SessionsTab.tsx').then((file) => file.SessionsTab));
const WrongLoginsTab = lazyTab('wrong-logins', () =>
  import('./WrongLoginsTab.tsx').then((file) => file.WrongLoginsTab),
);

const TITLE = 'SMTP relay';

/** For programs that send over SMTP: their settings, and what became of their sessions. */
export function RelayPage() {
  const { workspace } = useSession();
  const isOperator = useIsOperator();
  const [{ tab }, setUrl] = useUrlState(['tab', 'after', 'outcome', 'since', 'session', 'app']);
  if (workspace === undefined) return <NoWorkspace title={TITLE} />;
  return (
    <RecordPage
      title={TITLE}
      description="Programs that send over SMTP hand in their mail here. The password is an API key."
      crumbs={[]}
      tabs={[
        { id: 'set-up', label: 'Set-up', content: () => <SetUpTab workspace={workspace} /> },
        { id: 'sessions', label: 'Sessions', content: () => <SessionsTab /> },
        ...(isOperator && workspace.is_home
          ? [{ id: 'wrong-logins', label: 'Wrong logins', content: () => <WrongLoginsTab /> }]
          : []),
      ]}
      tab={tab}
      onTab={(next) =>
        setUrl({
          tab: next,
          after: undefined,
          outcome: undefined,
          since: undefined,
          session: undefined,
          app: undefined,
        })
      }
    />
  );
}
