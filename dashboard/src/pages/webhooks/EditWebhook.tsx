import { updateWebhook } from '../../api/generated/sdk.gen.ts';
import type { Webhook } from '../../api/generated/types.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { useApiForm } from '../../lib/use-api-form.ts';
import { SaveForm } from '../../ui/form/WriteForm.tsx';
import { toastDone } from '../../ui/toasts.tsx';
import { bodyOfWebhook, valuesOfWebhook, type WebhookValues } from './webhook-form.ts';
import { WebhookFields } from './WebhookFields.tsx';
import classes from './webhooks.module.css';

export function EditWebhook({ webhook, disabledReason }: { webhook: Webhook; disabledReason: string | undefined }) {
  const form = useApiForm<WebhookValues>({ initialValues: valuesOfWebhook(webhook) });
  const { fields } = form;
  const write = useWrite({
    call: (values: WebhookValues) =>
      updateWebhook({ path: { id: webhook.id }, body: bodyOfWebhook(values), throwOnError: true }),
    changes: ['listWebhooks', 'getWebhook'],
    onDone: () => {
      fields.resetDirty();
      toastDone('The endpoint is changed.');
    },
    onError: form.fail,
  });
  return (
    <div className={classes['page']}>
      <SaveForm label="Edit the endpoint" form={form} write={write} disabledReason={disabledReason}>
        <WebhookFields fields={fields} />
      </SaveForm>
    </div>
  );
}
