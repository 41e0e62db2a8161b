import { Select } from '@mantine/core';
import { useState } from 'react';
import { testWebhook } from '../../api/generated/sdk.gen.ts';
import type { Webhook } from '../../api/generated/types.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { CodeBlock } from '../../ui/code/CodeBlock.tsx';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { LoadedDialog } from '../../ui/dialog/LoadedDialog.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { EVENT_TYPE_OPTIONS } from '../../lib/event-types.ts';
import classes from './webhooks.module.css';

interface Props {
  webhook: Webhook;
  onClose: () => void;
}

/** Posts a signed sample to the endpoint at once, and shows its answer. */
export function TestWebhook({ opened, ...props }: Props & { opened: boolean }) {
  return (
    <LoadedDialog opened={opened} onClose={props.onClose} title="Send a test" size="lg">
      <TestForm {...props} />
    </LoadedDialog>
  );
}

function TestForm({ webhook, onClose }: Props) {
  const first = webhook.events.find((type) => type !== '*') ?? 'delivery';
  const [type, setType] = useState(first);
  const write = useWrite({
    call: (wanted: string) => testWebhook({ path: { id: webhook.id }, body: { type: wanted }, throwOnError: true }),
    changes: [],
  });
  const result = write.data;
  return (
    <Form
      label="Send a test"
      problem={write.error ?? undefined}
      onSubmit={(event) => {
        event?.preventDefault();
        write.mutate(type);
      }}
      actions={
        <>
          <ActionButton type="submit" loading={write.isPending} data-autofocus>
            {result === undefined ? 'Send' : 'Send again'}
          </ActionButton>
          <ActionButton variant="default" onClick={onClose}>
            Close
          </ActionButton>
          <CurlButton call={{ method: 'POST', path: `/v1/webhooks/${webhook.id}/test`, body: { type } }} />
        </>
      }
    >
      <Select
        label="Event"
        description="A sample that is marked as a test. It changes neither the health of the endpoint nor its deliveries."
        data={EVENT_TYPE_OPTIONS}
        value={type}
        onChange={(next) => setType(next ?? first)}
        allowDeselect={false}
        searchable
        openOnFocus={false}
        maxDropdownHeight={220}
      />
      <div role="status" className={classes['result']}>
        {result !== undefined && (
          <>
            <StatusBadge tone={result.success ? 'ok' : 'bad'}>
              {result.status === 0
                ? 'No answer'
                : `The endpoint answered ${result.status}${result.success ? '' : ', which counts as a failure'}`}
            </StatusBadge>
            {result.body !== '' && <CodeBlock code={result.body} label="the answer" wrap maxHeight={280} />}
          </>
        )}
      </div>
    </Form>
  );
}
