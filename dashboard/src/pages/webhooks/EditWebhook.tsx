import { updateWebhook } from '../../api/generated/sdk.gen.ts';
import type { Webhook } from '../../api/generated/types.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { UnsavedGuard } from '../../lib/unsaved-guard.tsx';
import { useApiForm } from '../../lib/use-api-form.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { toastDone } from '../../ui/toasts.tsx';
import { bodyOfWebhook, valuesOfWebhook, type WebhookValues } from './webhook-form.ts';
import { WebhookFields } from './WebhookFields.tsx';
import classes from './webhooks.module.css';

export function EditWebhook({ webhook, disabledReason }: { webhook: Webhook; disabledReason: string | undefined }) {
  const { fields, fail, problem, clear } = useApiForm<WebhookValues>({ initialValues: valuesOfWebhook(webhook) });
  const write = useWrite({
    call: (values: WebhookValues) =>
      updateWebhook({ path: { id: webhook.id }, body: bodyOfWebhook(values), throwOnError: true }),
    changes: ['listWebhooks', 'getWebhook'],
    onDone: () => {
      fields.resetDirty();
      toastDone('The endpoint is changed.');
    },
    onError: fail,
  });
  const isDirty = fields.isDirty();
  return (
    <div className={classes['page']}>
      <Form
        label="Edit the endpoint"
        problem={problem}
        onSubmit={fields.onSubmit((values) => {
          clear();
          write.mutate(values);
        })}
        actions={
          <ActionButton
            type="submit"
            loading={write.isPending}
            disabledReason={disabledReason ?? (isDirty ? undefined : 'Nothing is changed.')}
          >
            Save
          </ActionButton>
        }
      >
        <WebhookFields fields={fields} />
      </Form>
      <UnsavedGuard when={isDirty && !write.isPending} />
    </div>
  );
}
