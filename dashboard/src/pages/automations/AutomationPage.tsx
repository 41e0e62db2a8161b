import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { pb } from '../../lib/paths.ts';
import { UnsavedGuard } from '../../lib/unsaved-guard.tsx';
import { useUrlState } from '../../lib/use-url-state.ts';
import { lazyTab } from '../../ui/record/lazy-tab.tsx';
import { RecordPage } from '../../ui/record/RecordPage.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { AutomationActions } from './AutomationActions.tsx';
import { STATES, stateSentence } from './automation-state.ts';
import { type SavedAutomation, savedAutomation } from './saved-automation.ts';
import { StepsTab } from './steps/StepsTab.tsx';
import { useSteps } from './steps/use-steps.ts';

const SimulateTab = lazyTab('simulate', () => import('./simulate/SimulateTab.tsx').then((file) => file.SimulateTab));
const RunsTab = lazyTab('runs', () => import('./runs/RunsTab.tsx').then((file) => file.RunsTab));
const SettingsTab = lazyTab('settings', () => import('./SettingsTab.tsx').then((file) => file.SettingsTab));

/** The state of one tab: it leaves the address with the tab. */
const OF_TABS = ['tab', 'after', 'status', 'email', 'mail', 'width', 'scheme', 'pictures'] as const;

const CRUMBS = [{ label: 'Automations', href: pb.automations() }];

/** An automation: its steps, what they would do, what they did, and its settings. */
export function AutomationPage() {
  const { id = '' } = useParams({ strict: false });
  const { data: saved, error, refetch } = useQuery(savedAutomation(id));
  if (saved !== undefined) return <Shown key={saved.automation.id} saved={saved} />;
  return <RecordPage title={undefined} crumbs={CRUMBS} error={error} onRetry={() => void refetch()} />;
}

function Shown({ saved }: { saved: SavedAutomation }) {
  const { automation } = saved;
  const [{ tab }, setUrl] = useUrlState(OF_TABS);
  const writing = useSteps(saved);
  const { tone, words } = STATES[automation.status];
  const unsaved = writing.isDirty ? 'Save or discard the changed steps first.' : undefined;
  const openTab = (next: string | undefined) => {
    const cleared = Object.fromEntries(OF_TABS.map((name) => [name, undefined]));
    setUrl({ ...cleared, tab: next }, { push: true });
  };
  return (
    <>
      <UnsavedGuard when={writing.isDirty && !writing.isSaving} what="The changed steps are not saved." />
      <RecordPage
        title={automation.name}
        description={stateSentence(automation)}
        crumbs={CRUMBS}
        badge={<StatusBadge tone={tone}>{words}</StatusBadge>}
        actions={<AutomationActions automation={automation} unsaved={unsaved} />}
        tabs={[
          { id: 'steps', label: 'Steps', content: () => <StepsTab automation={automation} writing={writing} /> },
          {
            id: 'simulate',
            label: 'Simulate',
            content: () => <SimulateTab automation={automation} isDirty={writing.isDirty} />,
          },
          { id: 'runs', label: 'Runs', content: () => <RunsTab automation={automation} /> },
          { id: 'settings', label: 'Settings', content: () => <SettingsTab saved={saved} /> },
        ]}
        tab={tab}
        onTab={openTab}
      />
    </>
  );
}
