import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { ActionButton } from '../ActionButton.tsx';
import { Form } from './Form.tsx';

const DAY = '86400';
const OVERLAPS = [
  { value: '3600', label: 'After an hour' },
  { value: DAY, label: 'After a day' },
  { value: '604800', label: 'After a week' },
];

interface Props {
  /** Names the form: "Rotate the key". */
  label: string;
  question: string;
  description: string;
  /** The choice without an overlap, in words: "At once". */
  atOnce: string;
  problem: unknown;
  loading: boolean;
  onRotate: (overlapSeconds: number) => void;
  onCancel: () => void;
}

/** Replaces a secret by a new one: asks how long the old one still works. */
export function RotateForm({ label, question, description, atOnce, problem, loading, onRotate, onCancel }: Props) {
  const [overlap, setOverlap] = useState(DAY);
  return (
    <Form
      label={label}
      problem={problem}
      onSubmit={(event) => {
        event?.preventDefault();
        onRotate(Number(overlap));
      }}
      actions={
        <>
          <ActionButton type="submit" loading={loading}>
            Rotate
          </ActionButton>
          <ActionButton variant="default" onClick={onCancel}>
            Cancel
          </ActionButton>
        </>
      }
    >
      <Radio.Group label={question} description={description} value={overlap} onChange={setOverlap}>
        <Stack gap={8} mt={10}>
          {[{ value: '0', label: atOnce }, ...OVERLAPS].map((choice) => (
            <Radio key={choice.value} size="xs" {...choice} />
          ))}
        </Stack>
      </Radio.Group>
    </Form>
  );
}
