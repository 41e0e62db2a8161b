import { Skeleton } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Zap } from 'lucide-react';
import { useRef, useState } from 'react';
import { allNewsletters } from '../../../api/all-newsletters.ts';
import { allLists } from '../../../api/audience.ts';
import { listTemplatesOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import type { Automation, AutomationStep } from '../../../api/generated/types.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { FormProblem } from '../../../ui/form/FormProblem.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { triggerWords } from '../triggers.ts';
import { AddStep } from './AddStep.tsx';
import { END, TRIGGER } from './drawing/drawing.ts';
import { StepCard } from './StepCard.tsx';
import { changeStep, freshKey, insertStep, moveStep, removeStep } from './step-list.ts';
import { kindOf } from './step-kinds.ts';
import classes from './steps.module.css';
import type { Steps } from './use-steps.ts';

const StepsConflict = lazyPart(() => import('./StepsConflict.tsx').then((file) => file.StepsConflict));

const StepsDrawing = lazyPart(
  () => import('./drawing/StepsDrawing.tsx').then((file) => file.StepsDrawing),
  <Skeleton height={460} />,
);

const TriggerFields = lazyPart(
  () => import('../TriggerFields.tsx').then((file) => file.TriggerFields),
  <Skeleton height={80} />,
);

const STEPS_MAX = 100;
const NAMED = '100';

/** The trigger and the steps, one below the other. One card is open at a time; faults open their own. */
export function StepsTab({ automation, writing }: { automation: Automation; writing: Steps }) {
  const { trigger, steps, faults } = writing;
  const [open, setOpen] = useState<string>(); // a key: a save numbers the steps anew
  const [said, setSaid] = useState('');
  const [isDrawn, setDrawn] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  const mayWrite = useWhyNot('automations:write');
  const maySend = useWhyNot('emails:send');
  const closed = mayWrite ?? (automation.status === 'enabled' ? maySend : undefined);
  const readOnly = closed !== undefined;
  const held =
    closed ??
    (writing.conflict === undefined ? undefined : 'Choose the version that stands first.') ??
    (writing.isDirty ? undefined : 'Nothing is changed.');
  useHotkeys([['mod+S', () => held === undefined && writing.save()]], [], true);
  const { data: templates } = useQuery(listTemplatesOptions({ query: { limit: NAMED } }));
  const { data: newsletters } = useQuery(allNewsletters);
  const { data: lists } = useQuery(allLists);
  const nameOf = (id: string) =>
    [templates?.data, newsletters, lists].flatMap((records) => records?.find((one) => one.id === id)?.name ?? [])[0];
  const focusOn = (key: string) =>
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-step="${CSS.escape(key)}"]`)?.focus());

  const add = (type: AutomationStep['type'], at: number) => {
    const { key, fresh, label } = kindOf(type);
    const step = { key: freshKey(key, steps), type, config: fresh };
    writing.setSteps(insertStep(steps, at, step));
    setOpen(step.key);
    setSaid(`${label} is step ${at + 1}.`);
    focusOn(step.key);
  };
  const move = (at: number, by: -1 | 1) => {
    writing.setSteps(moveStep(steps, at, by));
    const key = steps[at]?.step.key ?? '';
    setSaid(`${key} is step ${at + by + 1} now.`);
  };
  const remove = (at: number) => {
    writing.setSteps(removeStep(steps, at));
    setSaid(`${steps[at]?.step.key ?? ''} is removed.`);
    focusOn((steps[at + 1] ?? steps[at - 1])?.step.key ?? '');
  };
  const isOpen = (key: string, itsFaults: object) => open === key || Object.keys(itsFaults).length > 0;
  const toggle = (key: string) => setOpen(open === key ? undefined : key);
  const openFromDrawing = (key: string) => {
    if (key === END) return;
    setOpen(key);
    focusOn(key);
  };
  /** A card that its faults have opened stays open when they are mended. */
  const change = (at: number, id: number, step: AutomationStep) => {
    writing.setSteps(changeStep(steps, at, step), id);
    setOpen(step.key);
  };
  return (
    <div className={classes['tab']}>
      <div className={classes['bar']}>
        <p className={classes['state']}>{sentence(automation, writing.isDirty)}</p>
        <div className={classes['buttons']}>
          <ActionButton variant="subtle" aria-expanded={isDrawn} onClick={() => setDrawn(!isDrawn)}>
            {isDrawn ? 'Hide the drawing' : 'Show as a drawing'}
          </ActionButton>
          {writing.isDirty && (
            <ActionButton variant="subtle" onClick={() => writing.discard()}>
              Discard changes
            </ActionButton>
          )}
          <ActionButton loading={writing.isSaving} disabledReason={held} onClick={() => writing.save()}>
            Save steps
          </ActionButton>
        </div>
      </div>
      {closed !== undefined && <Notice tone="info">{closed}</Notice>}
      <FormProblem error={writing.problem} />
      {writing.conflict !== undefined && <StepsConflict theirs={writing.conflict} writing={writing} />}
      {isDrawn && <StepsDrawing trigger={trigger} steps={steps} nameOf={nameOf} onOpen={openFromDrawing} />}
      <p role="status" className={classes['said']}>
        {said}
      </p>
      <ol className={classes['flow']} ref={list} aria-label="Trigger and steps">
        <li className={classes['item']}>
          <article className={classes['card']} data-trigger aria-label="Trigger">
            <div className={classes['head']}>
              <button
                type="button"
                className={classes['toggle']}
                aria-expanded={isOpen(TRIGGER, faults.ofTrigger)}
                onClick={() => toggle(TRIGGER)}
              >
                <span className={classes['icon']} aria-hidden="true">
                  <Zap size={16} />
                </span>
                <span className={classes['words']}>
                  <span className={classes['title']}>Trigger</span>
                  <span className={classes['summary']}>{triggerWords(trigger, nameOf)}</span>
                </span>
              </button>
            </div>
            {isOpen(TRIGGER, faults.ofTrigger) && (
              <div className={classes['fields']}>
                <TriggerFields
                  label="A run begins when"
                  starts
                  value={trigger}
                  faults={faults.ofTrigger}
                  readOnly={readOnly}
                  onChange={(next) => {
                    writing.setTrigger(next);
                    setOpen(TRIGGER);
                  }}
                />
              </div>
            )}
          </article>
        </li>
        {steps.map(({ id, step }, at) => (
          <li key={id} className={classes['item']}>
            {!readOnly && steps.length < STEPS_MAX && (
              <AddStep label={`Add a step before step ${at + 1}`} isBetween onAdd={(type) => add(type, at)} />
            )}
            <StepCard
              steps={steps}
              at={at}
              faults={faults.ofSteps[id] ?? {}}
              readOnly={readOnly}
              isOpen={isOpen(step.key, faults.ofSteps[id] ?? {})}
              nameOf={nameOf}
              onToggle={() => toggle(step.key)}
              onChange={(next) => change(at, id, next)}
              onMove={(by) => move(at, by)}
              onRemove={() => remove(at)}
            />
            {step.type === 'end' && at < steps.length - 1 && (
              <p className={classes['gap']}>Only branches lead further.</p>
            )}
          </li>
        ))}
      </ol>
      <div className={classes['last']}>
        {readOnly || steps.length >= STEPS_MAX ? null : (
          <AddStep label="Add a step" onAdd={(type) => add(type, steps.length)} />
        )}
        <p className={classes['end']}>Behind the last step the run is completed.</p>
      </div>
    </div>
  );
}

/** Which version stands, and what a save does to people who are under way. */
function sentence({ version, stats, status }: Automation, isDirty: boolean): string {
  if (!isDirty) return `Version ${version} is saved.`;
  const underWay = stats.active === 0 ? '' : ` People who are under way finish on the version that they began with.`;
  return `Saving makes version ${version + 1}.${status === 'enabled' ? ' New people take it at once.' : ''}${underWay}`;
}
