import { TextInput } from '@mantine/core';
import { enableBimi } from '../../../api/generated/sdk.gen.ts';
import type { Domain } from '../../../api/generated/types.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { useApiForm } from '../../../lib/use-api-form.ts';
import { WriteForm } from '../../../ui/form/WriteForm.tsx';
import { toastDone } from '../../../ui/toasts.tsx';
import { DOMAIN_READS } from '../use-check-now.ts';
import { pathOf } from './path-of.ts';
import type { PublishedMark } from './mark-of-record.ts';

interface Values extends Record<string, unknown> {
  svgUrl: string;
  vmcCertUrl: string;
  svgPath: string;
}

interface Props {
  domain: Domain;
  whyNot: string | undefined;
  mark: PublishedMark | undefined;
}

/** Names the logo of a domain, or another one. */
export function BimiForm({ domain, whyNot, mark }: Props) {
  const needed = (text: string) => (text.trim() === '' ? 'This is needed.' : null);
  const form = useApiForm<Values>({
    initialValues: { svgUrl: mark?.svgUrl ?? '', vmcCertUrl: mark?.certificateUrl ?? '', svgPath: '' },
    validate: { svgUrl: needed, vmcCertUrl: needed, svgPath: () => null },
  });
  const { fields } = form;
  const write = useWrite({
    call: ({ svgUrl, vmcCertUrl, svgPath }: Values) =>
      enableBimi({
        path: { id: domain.id },
        body: { svgUrl: svgUrl.trim(), vmcCertUrl: vmcCertUrl.trim(), svgPath: svgPath.trim() || pathOf(svgUrl) },
        throwOnError: true,
      }),
    changes: DOMAIN_READS,
    onDone: ({ message }) => toastDone(message),
    onError: form.fail,
  });
  return (
    <WriteForm
      label="Logo"
      form={form}
      write={write}
      submit={mark === undefined ? 'Turn the logo on' : 'Save'}
      disabledReason={whyNot}
      {...(mark === undefined ? {} : { variant: 'default' })}
    >
      <TextInput
        label="Address of the logo"
        placeholder="https://example.com/logo.svg"
        spellCheck={false}
        {...fields.getInputProps('svgUrl')}
      />
      <TextInput
        label="Address of the certificate"
        placeholder="https://example.com/mark.pem"
        spellCheck={false}
        {...fields.getInputProps('vmcCertUrl')}
      />
      <TextInput
        label="Path of the logo in your storage (optional)"
        description="A note for you: Posthorn keeps it and reads nothing there. Empty: as in the address of the logo."
        placeholder="logos/example.svg"
        spellCheck={false}
        {...fields.getInputProps('svgPath')}
      />
    </WriteForm>
  );
}
