import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { ActionButton } from '../ActionButton.tsx';
import { Form } from './Form.tsx';

interface Props {
  /** The person's own address. */
  own: string;
  problem?: unknown;
  loading: boolean;
  onSend: (to: string) => void;
  onClose: () => void;
}

/** Asks for the address of a test. */
export function SendTestForm({ own, problem, loading, onSend, onClose }: Props) {
  const [to, setTo] = useState(own);
  return (
    <Form
      label="Send a test"
      problem={problem}
      onSubmit={(event) => {
        event?.preventDefault();
        onSend(to);
      }}
      actions={
        <>
          <ActionButton type="submit" loading={loading}>
            Send the test
          </ActionButton>
          <ActionButton variant="default" onClick={onClose}>
            Cancel
          </ActionButton>
        </>
      }
    >
      <TextInput
        label="Address"
        description="The subject begins with [Test]. The test is not tracked, and no statistics count it."
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
        data-autofocus
      />
    </Form>
  );
}
