import type { Automation } from '../../api/generated/types.gen.ts';
import { counted } from '../../lib/number.ts';
import type { Tone } from '../../ui/StatusBadge.tsx';

/** The operations whose answers a change of an automation makes stale. */
export const AUTOMATION_CHANGES = ['listAutomations', 'getAutomation'] as const;

/** The same, and those of its runs. */
export const RUN_CHANGES = [...AUTOMATION_CHANGES, 'listAutomationRuns', 'getAutomationRun'] as const;

export const STATES: Readonly<Record<Automation['status'], { tone: Tone; words: string }>> = {
  enabled: { tone: 'ok', words: 'Enabled' },
  disabled: { tone: 'quiet', words: 'Disabled' },
};

/** The state in a sentence, with what it means for people. */
export function stateSentence({ status, version, stats }: Automation): string {
  const underWay = stats.active === 0 ? '' : ` ${counted(stats.active, 'person is', 'people are')} under way.`;
  if (status === 'enabled') return `Version ${version} lets people in.${underWay}`;
  return stats.active === 0
    ? `Version ${version} lets nobody in until it is enabled.`
    : `Nobody gets in, and ${counted(stats.active, 'run is', 'runs are')} held until it is enabled.`;
}
