import type { AutomationStepConfig } from '../../../api/generated/types.gen.ts';
import type { DraftStep } from './step-list.ts';

/** The fields of every kind of step have these. */
export interface StepFieldsProps {
  config: AutomationStepConfig;
  /** The refusals of the server, by field. */
  faults: Readonly<Record<string, string>>;
  readOnly: boolean;
  /** All steps and the place of this one: branches name a later one. */
  steps: readonly DraftStep[];
  at: number;
  onChange: (change: AutomationStepConfig) => void;
}
