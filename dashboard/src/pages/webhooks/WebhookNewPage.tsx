import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { createWebhook } from '../../api/generated/sdk.gen.ts';
import type { Webhook } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { pb } from '../../lib/paths.ts';
import { UnsavedGuard } from '../../lib/unsaved-guard.tsx';
import { useApiForm } from '../../lib/use-api-form.ts';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { WriteForm } from '../../ui/form/WriteForm.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { bodyOfWebhook, EMPTY_WEBHOOK, type WebhookValues } from './webhook-form.ts';
import { WebhookFields } from './WebhookFields.tsx';
import classes from './webhooks.module.css';

const SecretShown = lazyPart(() => import('./SecretShown.tsx').then((file) => file.SecretShown));

/** A new endpoint, and then its secret with the code that verifies deliveries. */
export function WebhookNewPage() {
  const router = useRouter();
  const whyNot = useWhyNot('webhooks:write');
  const [made, setMade] = useState<Webhook>();
  const form = useApiForm<WebhookValues>({ initialValues: EMPTY_WEBHOOK });
  const { fields } = form;
  const write = useWrite({
    call: (values: WebhookValues) => createWebhook({ body: bodyOfWebhook(values), throwOnError: true }),
    changes: ['listWebhooks'],
    onDone: setMade,
    onError: form.fail,
  });
  const crumbs = [{ label: 'Webhooks', href: pb.webhooks() }];
  if (made !== undefined) {
    const open = () => router.history.push(pb.webhook(made.id));
    return <SecretShown webhook={made} title="The endpoint is ready" crumbs={crumbs} onDone={open} />;
  }
  return (
    <div className={classes['page']}>
      <PageHeader
        title="New endpoint"
        crumbs={crumbs}
        actions={<CurlButton call={{ method: 'POST', path: '/v1/webhooks', body: bodyOfWebhook(fields.values) }} />}
      />
      <WriteForm
        label="New endpoint"
        form={form}
        write={write}
        submit="Add endpoint"
        disabledReason={whyNot}
        cancel={pb.webhooks()}
      >
        <WebhookFields fields={fields} />
      </WriteForm>
      <UnsavedGuard when={fields.isDirty() && !write.isPending} what="The endpoint has not been added yet." />
    </div>
  );
}
