import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { ActionButton } from '../ActionButton.tsx';
import { LoadedDialog } from '../dialog/LoadedDialog.tsx';
import { Form } from '../form/Form.tsx';

interface Props {
  link: { url: string; leadsTo: string | null };
  problem?: unknown;
  loading: boolean;
  onRedirect: (asked: { from: string; to: string }) => void;
  onClose: () => void;
}

/** Asks where a link of mail that has left leads from now on. */
export function RedirectDialog({ opened, ...props }: Props & { opened: boolean }) {
  return (
    <LoadedDialog opened={opened} onClose={props.onClose} title="Redirect this link" size="md">
      <RedirectForm key={props.link.url} {...props} />
    </LoadedDialog>
  );
}

function RedirectForm({ link: { url, leadsTo }, problem, loading, onRedirect, onClose }: Props) {
  const [to, setTo] = useState(leadsTo ?? url);
  return (
    <Form
      label="Redirect this link"
      problem={problem}
      onSubmit={(event) => {
        event?.preventDefault();
        onRedirect({ from: url, to: to.trim() });
      }}
      actions={
        <>
          <ActionButton type="submit" loading={loading}>
            Redirect
          </ActionButton>
          {leadsTo !== null && (
            <ActionButton variant="default" onClick={() => onRedirect({ from: url, to: url })}>
              Lead it back
            </ActionButton>
          )}
          <ActionButton variant="default" onClick={onClose}>
            Cancel
          </ActionButton>
        </>
      }
    >
      <TextInput
        label="New address"
        description={`In place of ${url}, also in mail that has left. Clicks from now on are counted for the new address.`}
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
        data-autofocus
      />
    </Form>
  );
}
