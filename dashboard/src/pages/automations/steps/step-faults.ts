import { faultsOf } from '../../../lib/api-error.ts';
import type { DraftStep } from './step-list.ts';

/** The refusals of the server by the fields of the page, and those that no field shows. */
export interface StepFaults {
  /** By the id of the step, then by the field: `key`, `template_id`. */
  ofSteps: Readonly<Record<number, Readonly<Record<string, string>>>>;
  /** By the field of the trigger: `type`, `filter[0].value`. */
  ofTrigger: Readonly<Record<string, string>>;
  hasRest: boolean;
}

export const NO_FAULTS: StepFaults = { ofSteps: {}, ofTrigger: {}, hasRest: false };

/** Each fault at its step and field, by its `param`: `steps[2].config.else`. */
export function readFaults(error: unknown, steps: readonly DraftStep[]): StepFaults {
  const ofSteps: Record<number, Record<string, string>> = {};
  const ofTrigger: Record<string, string> = {};
  let hasRest = false;
  for (const { param = '', sentence } of faultsOf(error)) {
    const [, index, field] = /^steps\[(\d+)\]\.(?:config\.)?(.+)$/.exec(param) ?? [];
    const id = index === undefined ? undefined : steps[Number(index)]?.id;
    const ofThis = /^trigger\.(.+)$/.exec(param)?.[1];
    if (id !== undefined && field !== undefined) {
      ofSteps[id] = { ...ofSteps[id], [field]: atField(sentence, param) };
    } else if (ofThis !== undefined) ofTrigger[ofThis] = atField(sentence, param);
    else hasRest = true;
  }
  return { ofSteps, ofTrigger, hasRest: hasRest || faultsOf(error).length === 0 };
}

/** At its field a sentence needs no path: “steps[0].config.url is required.” is “It is required.” there. */
export function atField(sentence: string, param: string): string {
  if (!sentence.startsWith(param)) return sentence;
  const rest = sentence.slice(param.length);
  if (rest.startsWith(': ')) return `${rest.charAt(2).toUpperCase()}${rest.slice(3)}`;
  return rest.startsWith(' ') ? `It${rest}` : sentence;
}

/** The same without the faults of a step that has changed since. */
export function withoutStep({ ofSteps, ...rest }: StepFaults, id: number): StepFaults {
  const { [id]: _gone, ...others } = ofSteps;
  return { ...rest, ofSteps: others };
}
