import { ListSelect } from '../../AudienceSelect.tsx';
import type { StepFieldsProps } from '../step-fields.ts';

/** The list that the person is put on or taken from. */
export const ListStep = ({ config, faults, readOnly, onChange }: StepFieldsProps) => (
  <ListSelect
    value={config.list_id ?? ''}
    error={faults['list_id']}
    readOnly={readOnly}
    onChange={(id) => onChange({ list_id: id })}
  />
);
