import { ActionButton } from '../../../ui/ActionButton.tsx';
import { ChangedFields } from '../../../ui/data/ChangedFields.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import type { SavedAutomation } from '../saved-automation.ts';
import { triggerWords } from '../triggers.ts';
import { kindOf } from './step-kinds.ts';
import { draftSteps, readySteps } from './step-list.ts';
import classes from './steps.module.css';
import type { Steps } from './use-steps.ts';

/** Somebody else has saved: shows what differs, step by step, and lets the person choose. */
export function StepsConflict({ theirs, writing }: { theirs: SavedAutomation; writing: Steps }) {
  return (
    <section aria-label="Two versions" className={classes['conflict']}>
      <Notice tone="warn">
        Somebody else changed these steps while you wrote. Before is theirs, after is yours. Choose the version that
        stands.
      </Notice>
      <ChangedFields changes={differencesOf(theirs, writing)} wordsOf={asNamed} />
      <div className={classes['buttons']}>
        <ActionButton onClick={() => writing.save(theirs)}>Keep yours</ActionButton>
        <ActionButton variant="default" onClick={() => writing.take(theirs)}>
          Take theirs
        </ActionButton>
      </div>
    </section>
  );
}

/** Steps have the names that somebody gave them. */
const asNamed = (): undefined => undefined;

function differencesOf({ automation }: SavedAutomation, { trigger, steps }: Steps) {
  const their = linesOf(automation.trigger, draftSteps(automation.steps));
  const mine = linesOf(trigger, steps);
  const names = [...new Set([...their.keys(), ...mine.keys()])];
  const changed = names.filter((name) => their.get(name) !== mine.get(name));
  return Object.fromEntries(changed.map((name) => [name, { before: their.get(name), after: mine.get(name) }]));
}

function linesOf(trigger: Steps['trigger'], steps: Steps['steps']): Map<string, string> {
  return new Map([
    ['trigger', triggerWords(trigger)],
    ...readySteps(steps).map((step, at): [string, string] => {
      const given = Object.entries(step.config).filter(([, value]) => value !== null);
      const fields = given.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(', ');
      return [step.key, `${at + 1}. ${kindOf(step.type).label}${fields === '' ? '' : `: ${fields}`}`];
    }),
  ]);
}
