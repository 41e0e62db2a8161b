import type { AutomationRun, AutomationStepRecord } from '../../../api/generated/types.gen.ts';
import { duration } from '../../../lib/time.ts';
import { pb } from '../../../lib/paths.ts';
import { JsonView } from '../../../ui/code/JsonView.tsx';
import { TimeLine } from '../../../ui/data/TimeLine.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { branchWords } from '../branch-words.ts';
import { kindOf } from '../steps/step-kinds.ts';
import { STEP_STATES } from './run-state.ts';
import classes from './runs.module.css';

/** The records of a run: when each step was reached, what came of it, and why it failed. */
export function RunSteps({ run }: { run: AutomationRun }) {
  if (run.steps.length === 0) return <p className={classes['none']}>No step was reached yet.</p>;
  return (
    <TimeLine
      label="Steps of this run"
      entries={run.steps.map((step) => ({
        id: step.key,
        at: step.started_at,
        tone: STEP_STATES[step.status].tone,
        title: (
          <>
            {kindOf(step.type).label} <code className={classes['key']}>{step.key}</code>{' '}
            <span className={classes['state']}>{STEP_STATES[step.status].label}</span>
          </>
        ),
        detail: <Detail step={step} />,
      }))}
    />
  );
}

function Detail({
  step: { status, started_at: from, completed_at: to, output, error },
}: {
  step: AutomationStepRecord;
}) {
  const branch = output?.['branch'];
  const email = output?.['email_id'];
  const took = to === null ? 0 : Date.parse(to) - Date.parse(from);
  return (
    <div className={classes['detail']}>
      {typeof branch === 'string' && <p>{branchWords(branch)}</p>}
      {status === 'completed' && took >= 1_000 && <p>It took {duration(took)}.</p>}
      {typeof email === 'string' && (
        <p>
          <a href={pb.email(email)}>Open the email</a>
        </p>
      )}
      {error !== null && <Notice tone={status === 'failed' ? 'bad' : 'warn'}>{error}</Notice>}
      {output !== null && Object.keys(output).length > 0 && (
        <details>
          <summary>Output</summary>
          <JsonView value={output} label="the output" maxHeight={280} />
        </details>
      )}
    </div>
  );
}
