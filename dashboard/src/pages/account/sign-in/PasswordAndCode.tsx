import { useWrite } from '../../../api/use-write.ts';
import { useApiForm } from '../../../lib/use-api-form.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Form } from '../../../ui/form/Form.tsx';
import { NO_PROOF, ProofFields } from '../ProofFields.tsx';

interface Props<Result> {
  label: string;
  confirm: string;
  danger?: boolean;
  call: (body: { current_password: string; code: string }) => Promise<{ data: Result }>;
  onDone: (result: Result) => void;
  onClose: () => void;
}

/** For what a stolen session must not do: it takes the password and a code. */
export function PasswordAndCode<Result>({ label, confirm, danger = false, call, onDone, onClose }: Props<Result>) {
  const { fields, fail, problem, clear } = useApiForm({ initialValues: NO_PROOF });
  const write = useWrite({
    call,
    changes: ['getMe', 'session', 'listSecurityEvents'],
    onDone,
    onError: fail,
  });
  return (
    <Form
      label={label}
      problem={problem}
      onSubmit={fields.onSubmit(({ current_password, code }) => {
        clear();
        write.mutate({ current_password, code: code.trim() });
      })}
      actions={
        <>
          <ActionButton type="submit" variant={danger ? 'danger' : 'filled'} loading={write.isPending}>
            {confirm}
          </ActionButton>
          <ActionButton variant="default" onClick={onClose}>
            Cancel
          </ActionButton>
        </>
      }
    >
      <ProofFields fields={fields} withCode autofocus />
    </Form>
  );
}
