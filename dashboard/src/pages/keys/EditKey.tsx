import { updateApiKey } from '../../api/generated/sdk.gen.ts';
import type { ApiKey } from '../../api/generated/types.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { UnsavedGuard } from '../../lib/unsaved-guard.tsx';
import { useApiForm } from '../../lib/use-api-form.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { toastDone } from '../../ui/toasts.tsx';
import { bodyOfKey, type KeyValues, valuesOfKey } from './key-form.ts';
import { KeyFields } from './KeyFields.tsx';
import classes from './keys.module.css';

/** Changes a key. A change takes effect within a second, everywhere. */
export function EditKey({ apiKey, disabledReason }: { apiKey: ApiKey; disabledReason: string | undefined }) {
  const { fields, fail, problem, clear } = useApiForm<KeyValues>({ initialValues: valuesOfKey(apiKey) });
  const write = useWrite({
    call: (values: KeyValues) => updateApiKey({ path: { id: apiKey.id }, body: bodyOfKey(values), throwOnError: true }),
    changes: ['listApiKeys', 'getApiKey', 'getRateLimits'],
    onDone: () => {
      fields.resetDirty();
      toastDone('The key is changed.');
    },
    onError: fail,
  });
  const isDirty = fields.isDirty();
  return (
    <div className={classes['page']}>
      <Form
        label="Edit the key"
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
        <KeyFields fields={fields} />
      </Form>
      <UnsavedGuard when={isDirty && !write.isPending} />
    </div>
  );
}
