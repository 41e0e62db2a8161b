import { updateApiKey } from '../../api/generated/sdk.gen.ts';
import type { ApiKey } from '../../api/generated/types.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { useApiForm } from '../../lib/use-api-form.ts';
import { SaveForm } from '../../ui/form/WriteForm.tsx';
import { toastDone } from '../../ui/toasts.tsx';
import { bodyOfKey, type KeyValues, valuesOfKey } from './key-form.ts';
import { KeyFields } from './KeyFields.tsx';
import classes from './keys.module.css';

/** Changes a key. A change takes effect within a second, everywhere. */
export function EditKey({ apiKey, disabledReason }: { apiKey: ApiKey; disabledReason: string | undefined }) {
  const form = useApiForm<KeyValues>({ initialValues: valuesOfKey(apiKey) });
  const { fields } = form;
  const write = useWrite({
    call: (values: KeyValues) => updateApiKey({ path: { id: apiKey.id }, body: bodyOfKey(values), throwOnError: true }),
    changes: ['listApiKeys', 'getApiKey', 'getRateLimits'],
    onDone: () => {
      fields.resetDirty();
      toastDone('The key is changed.');
    },
    onError: form.fail,
  });
  return (
    <div className={classes['page']}>
      <SaveForm label="Edit the key" form={form} write={write} disabledReason={disabledReason}>
        <KeyFields fields={fields} />
      </SaveForm>
    </div>
  );
}
