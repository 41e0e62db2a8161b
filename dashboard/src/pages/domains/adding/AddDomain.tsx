import { Select, TextInput } from '@mantine/core';
import { createDomain } from '../../../api/generated/sdk.gen.ts';
import type { CreateDomainData } from '../../../api/generated/types.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { useApiForm } from '../../../lib/use-api-form.ts';
import { LoadedDialog } from '../../../ui/dialog/LoadedDialog.tsx';
import { WriteForm } from '../../../ui/form/WriteForm.tsx';
import { domainIn } from './domain-in.ts';
import { DOMAIN_READS } from '../use-check-now.ts';

interface Props {
  opened: boolean;
  onClose: () => void;
  onAdded: (id: string) => void;
}

type Region = NonNullable<NonNullable<CreateDomainData['body']>['region']>;

const REGIONS: readonly { value: Region; label: string }[] = [
  { value: 'us-east-1', label: 'United States (us-east-1)' },
  { value: 'eu-north-1', label: 'Europe (eu-north-1)' },
];

/** A name and a region; the server says what is wrong with a name. */
export function AddDomain({ opened, onClose, onAdded }: Props) {
  return (
    <LoadedDialog opened={opened} onClose={onClose} title="Add a domain" size="md">
      <AddForm onClose={onClose} onAdded={onAdded} />
    </LoadedDialog>
  );
}

function AddForm({ onClose, onAdded }: Pick<Props, 'onClose' | 'onAdded'>) {
  const form = useApiForm<{ domain: string; region: Region }>({
    initialValues: { domain: '', region: 'us-east-1' },
    validate: { domain: (name) => (name.trim() === '' ? 'Enter the name of your domain.' : null) },
  });
  const { fields } = form;
  const write = useWrite({
    call: ({ domain, region }: { domain: string; region: Region }) =>
      createDomain({ body: { domain: domainIn(domain), region }, throwOnError: true }),
    changes: DOMAIN_READS,
    onDone: ({ data: { id } }) => onAdded(id),
    onError: form.fail,
  });
  return (
    <WriteForm label="Add a domain" form={form} write={write} submit="Add" cancel={onClose}>
      <TextInput
        label="Domain"
        description="The part behind the @ of your sender. A part of a domain, such as mail.example.com, is one of its own."
        placeholder="example.com"
        data-autofocus
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        {...fields.getInputProps('domain')}
      />
      <Select
        label="Region"
        description="Where mail is sent from. It cannot be changed later."
        data={[...REGIONS]}
        allowDeselect={false}
        checkIconPosition="right"
        {...fields.getInputProps('region')}
      />
    </WriteForm>
  );
}
