import { Button, Text } from '@mantine/core';
import { Terminal } from 'lucide-react';
import { useState } from 'react';
import { type ApiCall, asCurl, credentialOf } from '../../lib/curl.ts';
import { Dialog } from '../Dialog.tsx';
import { CodeBlock } from './CodeBlock.tsx';

/** Shows the request behind a page as a command, to run in a terminal with an API key. */
export function CurlButton({ call, label = 'As curl' }: { call: ApiCall; label?: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="subtle" size="xs" leftSection={<Terminal size={14} />} data-curl onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title="This page as an API call" size="lg">
        <Text size="sm" c="dimmed" mb="sm">
          {call.as === 'person' ? (
            <>
              Put a token into <code>{credentialOf(call)}</code> first: <code>POST /auth/login</code> answers one. API
              keys cannot make this call.
            </>
          ) : (
            <>
              Put an API key into <code>{credentialOf(call)}</code> first. The dashboard makes the same call.
            </>
          )}
        </Text>
        <CodeBlock code={asCurl(call, window.location.origin)} label="the command" wrap />
      </Dialog>
    </>
  );
}
