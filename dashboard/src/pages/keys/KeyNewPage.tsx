import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { createApiKey } from '../../api/generated/sdk.gen.ts';
import type { ApiKeyWithSecret } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { pb } from '../../lib/paths.ts';
import { UnsavedGuard } from '../../lib/unsaved-guard.tsx';
import { useApiForm } from '../../lib/use-api-form.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { WriteForm } from '../../ui/form/WriteForm.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { bodyOfKey, type KeyValues, presetKey } from './key-form.ts';
import { KeyFields } from './KeyFields.tsx';
import classes from './keys.module.css';

const SecretShown = lazyPart(() => import('./SecretShown.tsx').then((file) => file.SecretShown));

/** A new key, and then the key itself: it is shown once. The model of a page with a form. */
export function KeyNewPage() {
  const router = useRouter();
  const whyNot = useWhyNot('api_keys:write');
  const [made, setMade] = useState<ApiKeyWithSecret>();
  const [asked] = useUrlState(['name', 'scopes']);
  const form = useApiForm<KeyValues>({ initialValues: presetKey(asked) });
  const { fields } = form;
  const write = useWrite({
    call: (values: KeyValues) => createApiKey({ body: bodyOfKey(values), throwOnError: true }),
    changes: ['listApiKeys'],
    onDone: setMade,
    onError: form.fail,
  });
  const crumbs = [{ label: 'API keys', href: pb.keys() }];
  if (made !== undefined)
    return <SecretShown made={made} crumbs={crumbs} onDone={() => router.history.push(pb.key(made.id))} />;
  return (
    <div className={classes['page']}>
      <PageHeader
        title="New API key"
        crumbs={crumbs}
        actions={<CurlButton call={{ method: 'POST', path: '/v1/api-keys', body: bodyOfKey(fields.values) }} />}
      />
      <WriteForm
        label="New API key"
        form={form}
        write={write}
        submit="Create API key"
        disabledReason={whyNot}
        cancel={pb.keys()}
      >
        <KeyFields fields={fields} />
      </WriteForm>
      <UnsavedGuard when={fields.isDirty() && !write.isPending} what="The key has not been created yet." />
    </div>
  );
}
