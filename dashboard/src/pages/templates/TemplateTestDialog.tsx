import { Select, TextInput } from '@mantine/core';
import { sendTemplateTest } from '../../api/generated/sdk.gen.ts';
import type { Template } from '../../api/generated/types.gen.ts';
import { useSession } from '../../api/session.ts';
import { useIsCaptured } from '../../api/use-is-captured.ts';
import { useWrite } from '../../api/use-write.ts';
import { useApiForm } from '../../lib/use-api-form.ts';
import { LoadedDialog } from '../../ui/dialog/LoadedDialog.tsx';
import { WriteForm } from '../../ui/form/WriteForm.tsx';
import { toastTest } from '../../ui/toasts.tsx';

interface Props {
  template: Pick<Template, 'id' | 'version' | 'samples'>;
  onClose: () => void;
}

/** The form of `SendTemplateTest`. */
export function TemplateTestDialog({ opened, ...props }: Props & { opened: boolean }) {
  return (
    <LoadedDialog opened={opened} onClose={props.onClose} title="Send a test" size="sm">
      <TestForm {...props} />
    </LoadedDialog>
  );
}

const NO_DATA = 'none';

function TestForm({ template: { id, version, samples }, onClose }: Props) {
  const { me } = useSession();
  const isCaptured = useIsCaptured();
  const form = useApiForm<{ to: string; sample: string }>({
    initialValues: { to: me.email, sample: samples.length === 0 ? NO_DATA : '0' },
  });
  const { fields } = form;
  const write = useWrite({
    call: ({ to, sample }: { to: string; sample: string }) =>
      sendTemplateTest({
        path: { id },
        body: { to, version, variables: samples[Number(sample)]?.variables ?? {} },
        throwOnError: true,
      }),
    changes: ['listEmails', 'listCapturedEmails'],
    onDone: async (result) => {
      onClose();
      toastTest(result.to, await isCaptured());
    },
    onError: form.fail,
  });
  return (
    <WriteForm label="Send a test" form={form} write={write} submit="Send the test" cancel={onClose}>
      <TextInput
        label="Address"
        description={`Version ${version}. The subject begins with [Test].`}
        data-autofocus
        {...fields.getInputProps('to')}
      />
      <Select
        label="With the data of"
        data={[
          ...samples.map(({ name }, at) => ({ value: String(at), label: name })),
          { value: NO_DATA, label: 'No data' },
        ]}
        allowDeselect={false}
        {...fields.getInputProps('sample')}
      />
    </WriteForm>
  );
}
