import { TextInput } from '@mantine/core';
import { changeDomainWebhook } from '../../../api/generated/sdk.gen.ts';
import type { Domain } from '../../../api/generated/types.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { UnsavedGuard } from '../../../lib/unsaved-guard.tsx';
import { useApiForm } from '../../../lib/use-api-form.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Form } from '../../../ui/form/Form.tsx';
import { toastDone } from '../../../ui/toasts.tsx';
import { DOMAIN_READS } from '../use-check-now.ts';

interface Props {
  domain: Domain;
  whyNot: string | undefined;
}

/** The address that received mail is posted to; empty: nowhere. */
export function ForwardForm({ domain, whyNot }: Props) {
  const { fields, fail, problem, clear } = useApiForm<{ webhookUrl: string }>({
    initialValues: { webhookUrl: domain.webhook_url ?? '' },
  });
  const write = useWrite({
    call: (url: string) =>
      changeDomainWebhook({
        path: { id: domain.id },
        body: { webhookUrl: url === '' ? null : url },
        throwOnError: true,
      }),
    changes: DOMAIN_READS,
    onDone: ({ message }) => toastDone(message),
    onError: fail,
  });
  return (
    <Form
      label="Webhook"
      problem={problem}
      onSubmit={fields.onSubmit(({ webhookUrl }) => {
        clear();
        write.mutate(webhookUrl.trim());
      })}
      actions={
        <ActionButton type="submit" loading={write.isPending} disabledReason={whyNot}>
          Save
        </ActionButton>
      }
    >
      <TextInput
        label="Address"
        description="Empty: received mail is kept here and forwarded nowhere."
        placeholder="https://example.com/inbound"
        type="url"
        spellCheck={false}
        {...fields.getInputProps('webhookUrl')}
      />
      <UnsavedGuard when={fields.isDirty() && !write.isPending} what="The address of the webhook has not been saved." />
    </Form>
  );
}
