import { Radio, Stack, TextInput } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { createTemplate } from '../../api/generated/sdk.gen.ts';
import type { CreateTemplateRequest } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { pb } from '../../lib/paths.ts';
import { useApiForm } from '../../lib/use-api-form.ts';
import { LoadedDialog } from '../../ui/dialog/LoadedDialog.tsx';
import { WriteForm } from '../../ui/form/WriteForm.tsx';
import { aliasOf } from './alias.ts';
import { STARTERS } from './starters.ts';
import { TEMPLATE_CHANGES } from './template-state.ts';

interface Values extends Record<string, unknown> {
  name: string;
  alias: string;
  starter: string;
}

function bodyOf({ name, alias, starter }: Values): CreateTemplateRequest {
  const { content } = STARTERS.find(({ id }) => id === starter) ?? STARTERS[0];
  return { ...content, name: name.trim(), alias: alias.trim() === '' ? null : alias.trim(), publish: false };
}

/** Asks for a name and for a text to begin with, and opens the draft in the editor. */
export function NewTemplate({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <LoadedDialog opened={opened} onClose={onClose} title="New template" size="md">
      <NewForm onClose={onClose} />
    </LoadedDialog>
  );
}

function NewForm({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  const whyNot = useWhyNot('templates:write');
  const [ownAlias, setOwnAlias] = useState(false);
  const form = useApiForm<Values>({
    initialValues: { name: '', alias: '', starter: STARTERS[0].id },
  });
  const { fields } = form;
  const write = useWrite({
    call: (values: Values) => createTemplate({ body: bodyOf(values), throwOnError: true }),
    changes: TEMPLATE_CHANGES,
    onDone: ({ id }) => router.history.push(pb.templateEdit(id)),
    onError: form.fail,
  });
  return (
    <WriteForm
      label="New template"
      form={form}
      write={write}
      submit="Create template"
      disabledReason={whyNot}
      cancel={onClose}
    >
      <TextInput
        label="Name"
        placeholder="Welcome"
        maxLength={200}
        data-autofocus
        {...fields.getInputProps('name')}
        onChange={(event) => {
          fields.setFieldValue('name', event.currentTarget.value);
          if (!ownAlias) fields.setFieldValue('alias', aliasOf(event.currentTarget.value));
        }}
      />
      <TextInput
        label="Alias"
        description="Sends and other templates name it by this."
        placeholder="welcome"
        maxLength={100}
        spellCheck={false}
        {...fields.getInputProps('alias')}
        onChange={(event) => {
          setOwnAlias(event.currentTarget.value !== '');
          fields.setFieldValue('alias', event.currentTarget.value);
        }}
      />
      <Radio.Group label="Begin with" {...fields.getInputProps('starter')}>
        <Stack gap={8} mt={10}>
          {STARTERS.map(({ id, label, description }) => (
            <Radio key={id} size="xs" value={id} label={label} description={description} />
          ))}
        </Stack>
      </Radio.Group>
    </WriteForm>
  );
}
