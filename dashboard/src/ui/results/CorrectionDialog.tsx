import { Select } from '@mantine/core';
import { useState } from 'react';
import { counted } from '../../lib/number.ts';
import { ActionButton } from '../ActionButton.tsx';
import { LoadedDialog } from '../dialog/LoadedDialog.tsx';
import { Form } from '../form/Form.tsx';

interface Props {
  versions: readonly { content_version: number; sent: number }[];
  /** All who were sent it, in any version. */
  sent: number;
  problem?: unknown;
  loading: boolean;
  /** null: of all versions. */
  onWrite: (version: number | null) => void;
  onClose: () => void;
}

/** Asks who gets the correction. */
export function CorrectionDialog({ opened, ...props }: Props & { opened: boolean }) {
  return (
    <LoadedDialog opened={opened} onClose={props.onClose} title="Write a correction" size="sm">
      <CorrectionForm {...props} />
    </LoadedDialog>
  );
}

function CorrectionForm({ versions, sent, problem, loading, onWrite, onClose }: Props) {
  const [version, setVersion] = useState('all');
  const choices = versions
    .filter((one) => one.sent > 0)
    .map((one) => ({
      value: String(one.content_version),
      label: `Version ${one.content_version}: ${counted(one.sent, 'recipient')}`,
    }));
  return (
    <Form
      label="Write a correction"
      problem={problem}
      onSubmit={(event) => {
        event?.preventDefault();
        onWrite(version === 'all' ? null : Number(version));
      }}
      actions={
        <>
          <ActionButton type="submit" loading={loading}>
            Make a draft
          </ActionButton>
          <ActionButton variant="default" onClick={onClose}>
            Cancel
          </ActionButton>
        </>
      }
    >
      <Select
        label="Who was sent"
        description="The draft goes to exactly these people, as far as they have not left when you send it."
        data={[{ value: 'all', label: `Any version: ${counted(sent, 'recipient')}` }, ...choices]}
        value={version}
        onChange={(chosen) => setVersion(chosen ?? 'all')}
        allowDeselect={false}
        data-autofocus
      />
    </Form>
  );
}
