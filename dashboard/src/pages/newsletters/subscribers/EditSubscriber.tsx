import { Textarea, TextInput } from '@mantine/core';
import { updateSubscriber } from '../../../api/generated/sdk.gen.ts';
import type { Newsletter, Subscriber, UpdateSubscriberRequest } from '../../../api/generated/types.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { useApiForm } from '../../../lib/use-api-form.ts';
import { CurlButton } from '../../../ui/code/CurlButton.tsx';
import { SaveForm } from '../../../ui/form/WriteForm.tsx';
import { toastDone } from '../../../ui/toasts.tsx';
import classes from '../newsletters.module.css';
import { metadataChange, readMetadata } from './metadata-text.ts';
import { SUBSCRIBERS_CHANGE } from './subscribers-change.ts';

interface Values extends Record<string, unknown> {
  email: string;
  name: string;
  source: string;
  metadata: string;
  consent: string;
}

const valuesOf = (person: Subscriber): Values => ({
  email: person.email,
  name: person.name ?? '',
  source: person.source ?? '',
  metadata: JSON.stringify(person.metadata, null, 2),
  consent: '',
});

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** Only what is different, so that two people who change different fields do not undo each other. */
function bodyOf(values: Values, before: Subscriber): UpdateSubscriberRequest {
  const email = values.email.trim();
  const change = metadataChange(before.metadata, readMetadata(values.metadata) ?? before.metadata);
  return {
    ...(email === before.email ? {} : { email }),
    ...(orNull(values.name) === before.name ? {} : { name: orNull(values.name) }),
    ...(orNull(values.source) === before.source ? {} : { source: orNull(values.source) }),
    ...(Object.keys(change).length === 0 ? {} : { metadata: change }),
    ...(email === before.email || orNull(values.consent) === null ? {} : { consent: { text: values.consent.trim() } }),
  };
}

export function EditSubscriber({ person, newsletter }: { person: Subscriber; newsletter: Newsletter | undefined }) {
  const whyNot = useWhyNot('subscribers:write');
  const form = useApiForm<Values>({
    initialValues: valuesOf(person),
    validate: {
      metadata: (text) => (readMetadata(text) === undefined ? 'This is not a JSON object.' : null),
    },
  });
  const { fields } = form;
  const path = { id: person.newsletter_id, subscriberId: person.id };
  const write = useWrite({
    call: (values: Values) => updateSubscriber({ path, body: bodyOf(values, person), throwOnError: true }),
    changes: SUBSCRIBERS_CHANGE,
    onDone: (saved) => {
      fields.setInitialValues(valuesOf(saved));
      fields.setValues(valuesOf(saved));
      toastDone('The subscriber is changed.');
    },
    onError: form.fail,
  });
  const isMoving = fields.values.email.trim() !== person.email;
  const call = { method: 'PATCH', path: `/v1/newsletters/${path.id}/subscribers/${path.subscriberId}` } as const;
  return (
    <div className={classes['narrow']}>
      <SaveForm
        label="Edit the subscriber"
        form={form}
        write={write}
        disabledReason={whyNot}
        more={<CurlButton call={{ ...call, body: bodyOf(fields.values, person) }} />}
      >
        <TextInput label="Address" type="email" {...fields.getInputProps('email')} />
        {isMoving && newsletter?.double_opt_in !== false && (
          <Textarea
            label="How did they agree to the new address?"
            description="Leave it empty to ask them: they are pending until they confirm at the new address."
            autosize
            minRows={2}
            {...fields.getInputProps('consent')}
          />
        )}
        <TextInput label="Name" {...fields.getInputProps('name')} />
        <TextInput label="Source" {...fields.getInputProps('source')} />
        <Textarea
          label="Metadata"
          description="A JSON object of your own data. A key that you remove here is removed."
          autosize
          minRows={4}
          maxRows={20}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--ph-mono)' } }}
          {...fields.getInputProps('metadata')}
        />
      </SaveForm>
    </div>
  );
}
