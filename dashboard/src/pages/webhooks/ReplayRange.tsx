import { MultiSelect, Radio, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { replayWebhook } from '../../api/generated/sdk.gen.ts';
import type { ReplayWebhookRequest, Webhook } from '../../api/generated/types.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { counted } from '../../lib/number.ts';
import { useApiForm } from '../../lib/use-api-form.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { LoadedDialog } from '../../ui/dialog/LoadedDialog.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { EVENT_TYPES } from '../../lib/event-types.ts';
import { bodyOfReplay, type ReplayValues, yesterday } from './replay-form.ts';

interface Props {
  webhook: Webhook;
  onClose: () => void;
}

/** Sends the events of a period again: those that failed, or all. One call queues at most 10,000. */
export function ReplayRange({ opened, ...props }: Props & { opened: boolean }) {
  return (
    <LoadedDialog opened={opened} onClose={props.onClose} title="Replay events" size="md">
      <ReplayForm {...props} />
    </LoadedDialog>
  );
}

function ReplayForm({ webhook, onClose }: Props) {
  const [queued, setQueued] = useState<number>();
  const [start] = useState(() => yesterday(Date.now()));
  const [cursor, setCursor] = useState<string>();
  const { fields, fail, problem, clear } = useApiForm<ReplayValues>({
    initialValues: { since: start, until: '', only_failed: 'failed', event_types: [] },
    validate: { since: (since) => (since === '' ? 'Choose when the period begins.' : null) },
    onValuesChange: () => {
      setQueued(undefined);
      setCursor(undefined);
    },
  });
  const write = useWrite({
    call: (body: ReplayWebhookRequest) => replayWebhook({ path: { id: webhook.id }, body, throwOnError: true }),
    changes: ['listAllWebhookDeliveries', 'getWebhookDelivery'],
    onDone: (result) => {
      setQueued((before = 0) => before + result.queued);
      setCursor(result.next_cursor ?? undefined);
    },
    onError: fail,
  });
  const isDone = queued !== undefined && cursor === undefined;
  return (
    <Form
      label="Replay events"
      problem={problem}
      onSubmit={fields.onSubmit((values) => {
        clear();
        write.mutate(bodyOfReplay(values, cursor));
      })}
      actions={
        <>
          <ActionButton
            type="submit"
            loading={write.isPending}
            disabledReason={isDone ? 'The whole period is queued. Change it to replay more.' : undefined}
          >
            {cursor === undefined ? 'Replay' : 'Queue the next 10,000'}
          </ActionButton>
          <ActionButton variant="default" onClick={onClose}>
            Close
          </ActionButton>
          <CurlButton
            call={{
              method: 'POST',
              path: `/v1/webhooks/${webhook.id}/replay`,
              body: bodyOfReplay(fields.values, cursor),
            }}
          />
        </>
      }
    >
      <ReplayFields fields={fields} />
      <div role="status">
        {queued !== undefined && (
          <Notice tone={cursor === undefined ? 'ok' : 'warn'}>
            {queued === 0
              ? 'Nothing of this period has to be sent again.'
              : `${counted(queued, 'delivery is', 'deliveries are')} queued.`}
            {cursor !== undefined && ' The period has more.'}
          </Notice>
        )}
      </div>
    </Form>
  );
}

function ReplayFields({ fields }: { fields: ReturnType<typeof useApiForm<ReplayValues>>['fields'] }) {
  return (
    <>
      <TextInput
        label="From"
        description="In your time zone. Events are kept for 30 days."
        type="datetime-local"
        data-autofocus
        {...fields.getInputProps('since')}
      />
      <TextInput label="Until" description="Empty: now." type="datetime-local" {...fields.getInputProps('until')} />
      <Radio.Group label="Events" {...fields.getInputProps('only_failed')}>
        <Stack gap={8} mt={8}>
          <Radio value="failed" size="xs" label="Only deliveries that failed" />
          <Radio
            value="all"
            size="xs"
            label="Every event that the endpoint would receive today"
            description="Also those that it received, or missed while it was disabled"
          />
        </Stack>
      </Radio.Group>
      <MultiSelect
        label="Types"
        placeholder={fields.values.event_types.length === 0 ? 'All types' : ''}
        data={[...EVENT_TYPES]}
        searchable
        clearable
        {...fields.getInputProps('event_types')}
      />
    </>
  );
}
