import { JsonView } from '../../../ui/code/JsonView.tsx';
import type { StepFieldsProps } from './step-fields.ts';

export const OtherStep = ({ config }: StepFieldsProps) => <JsonView value={config} label="the fields of this step" />;
