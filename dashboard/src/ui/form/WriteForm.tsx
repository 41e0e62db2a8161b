import type { ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { UnsavedGuard } from '../../lib/unsaved-guard.tsx';
import type { ApiForm } from '../../lib/use-api-form.ts';
import type { Write } from '../../lib/write.ts';
import { ActionButton } from '../ActionButton.tsx';
import classes from './form.module.css';
import { Form } from './Form.tsx';

interface Props<V extends Record<string, unknown>> {
  /** Names the form for a screen reader. */
  label: string;
  form: ApiForm<V>;
  /** Takes the fields as they are. */
  write: Pick<Write<V>, 'mutate' | 'isPending'>;
  /** The words of the button that sends the form. */
  submit: string;
  disabledReason?: string | undefined;
  variant?: ButtonProps['variant'];
  /** The last button, "Cancel": the page that it leads to, or the function that closes the dialog. */
  cancel?: string | (() => void);
  /** Buttons between these two. */
  more?: ReactNode;
  keepsActions?: boolean;
  children: ReactNode;
}

/** A form that is one write. It shows what the server refuses, and sends nothing twice. */
export function WriteForm<V extends Record<string, unknown>>({
  label,
  form,
  write,
  submit,
  disabledReason,
  variant,
  cancel,
  more,
  keepsActions = false,
  children,
}: Props<V>) {
  return (
    <Form
      label={label}
      problem={form.problem}
      keepsActions={keepsActions}
      onSubmit={form.fields.onSubmit((values) => {
        form.clear();
        write.mutate(values);
      })}
      actions={
        <>
          <ActionButton
            type="submit"
            loading={write.isPending}
            disabledReason={disabledReason}
            {...(variant ? { variant } : {})}
          >
            {submit}
          </ActionButton>
          {more}
          {cancel !== undefined && (
            <ActionButton variant="default" {...(typeof cancel === 'string' ? { href: cancel } : { onClick: cancel })}>
              Cancel
            </ActionButton>
          )}
        </>
      }
    >
      {children}
    </Form>
  );
}

const SAVES = 'The changes are being saved.';

interface SaveProps<V extends Record<string, unknown>> extends Omit<Props<V>, 'submit' | 'cancel' | 'keepsActions'> {
  /** Whether there is anything to save; the fields say it unless the page knows better. */
  isDirty?: boolean;
}

/**
 * A form that changes a record. While there is something to save, its buttons stay in sight and say so. It asks a
 * person who may save before they leave what is not saved.
 */
export function SaveForm<V extends Record<string, unknown>>({ isDirty, disabledReason, more, ...props }: SaveProps<V>) {
  const { fields, clear } = props.form;
  const isChanged = isDirty ?? fields.isDirty();
  const discard = () => {
    fields.reset();
    clear();
  };
  return (
    <>
      <WriteForm
        {...props}
        submit="Save"
        keepsActions={isChanged}
        more={
          <>
            {isChanged && (
              <ActionButton
                variant="default"
                disabledReason={props.write.isPending ? SAVES : undefined}
                onClick={discard}
              >
                Discard
              </ActionButton>
            )}
            {more}
            {/* There from the start, so that it is heard when it has something to say. */}
            <p className={classes['state']} role="status">
              {isChanged && 'Unsaved changes'}
            </p>
          </>
        }
        disabledReason={disabledReason ?? (isChanged ? undefined : 'Nothing is changed.')}
      />
      <UnsavedGuard when={isChanged && !props.write.isPending && disabledReason === undefined} />
    </>
  );
}
