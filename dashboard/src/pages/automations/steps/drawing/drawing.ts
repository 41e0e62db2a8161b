import type { AutomationStep } from '../../../../api/generated/types.gen.ts';
import type { DraftStep } from '../step-list.ts';

/** A way from one box to another. `when` is empty for a step without branches. */
interface Way {
  from: string;
  to: string;
  when: string;
  /** It passes boxes that stand between. */
  leaps: boolean;
}

export const TRIGGER = ' trigger';
export const END = ' end';

/** The branches of a step that has any: `next` is the step behind it, `end` the end. */
type BranchesOf = (step: AutomationStep) => readonly { when: string; to: string }[] | undefined;

/** The ways between the trigger, the steps and the end. Keys have no space, so no step is one of the two. */
export function waysOf(steps: readonly DraftStep[], branchesOf: BranchesOf): Way[] {
  const keys = steps.map(({ step }) => step.key);
  const after = (at: number): string => keys[at + 1] ?? END;
  const placeOf = (key: string): number => (key === END ? keys.length : keys.indexOf(key));
  const of = steps.flatMap(({ step }, at): Way[] => {
    const { key, type } = step;
    if (type === 'end') return [{ from: key, to: END, when: '', leaps: at < keys.length - 1 }];
    const branches = branchesOf(step) ?? [{ when: '', to: 'next' }];
    return branches
      .map(({ when, to }) => ({ when, to: to === 'next' ? after(at) : to === 'end' ? END : to }))
      .filter(({ to }) => to === END || keys.includes(to))
      .map(({ when, to }) => ({ from: key, to, when, leaps: placeOf(to) !== at + 1 }));
  });
  return [{ from: TRIGGER, to: keys[0] ?? END, when: '', leaps: false }, ...of];
}
