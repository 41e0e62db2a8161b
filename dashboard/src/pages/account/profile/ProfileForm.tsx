import { TextInput } from '@mantine/core';
import { updateMe } from '../../../api/generated/sdk.gen.ts';
import type { Me } from '../../../api/generated/types.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { useApiForm } from '../../../lib/use-api-form.ts';
import { SaveForm } from '../../../ui/form/WriteForm.tsx';
import { Properties } from '../../../ui/record/Properties.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { Section } from '../../../ui/Section.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { toastDone } from '../../../ui/toasts.tsx';
import classes from '../account.module.css';

/** The name, as other members see it, and the address of the account. */
export function ProfileForm({ me }: { me: Me }) {
  const form = useApiForm({ initialValues: { name: me.name ?? '' } });
  const { fields } = form;
  const write = useWrite({
    call: ({ name }: { name: string }) => updateMe({ body: { name: name.trim() || null }, throwOnError: true }),
    changes: ['getMe', 'session', 'listMembers', 'getMember'],
    onDone: ({ name }) => {
      fields.setInitialValues({ name: name ?? '' });
      fields.setValues({ name: name ?? '' });
      toastDone('Your name is saved.');
    },
    onError: form.fail,
  });
  return (
    <Section title="Profile">
      <div className={classes['stack']}>
        <Properties
          items={[
            {
              label: 'Address',
              value: (
                <span className={classes['email']}>
                  {me.email}
                  <StatusBadge tone={me.email_verified ? 'ok' : 'warn'}>
                    {me.email_verified ? 'Confirmed' : 'Not confirmed'}
                  </StatusBadge>
                </span>
              ),
              copy: me.email,
            },
            { label: 'User id', value: me.id, copy: me.id, mono: true },
            { label: 'Joined', value: <RelativeTime at={me.created_at} /> },
          ]}
        />
        <div className={classes['narrow']}>
          <SaveForm
            label="Your name"
            form={form}
            write={write}
            variant="default"
            isDirty={fields.values.name.trim() !== (me.name ?? '')}
          >
            <TextInput
              label="Name"
              description="Other members see it beside your address."
              autoComplete="name"
              maxLength={200}
              {...fields.getInputProps('name')}
            />
          </SaveForm>
        </div>
      </div>
    </Section>
  );
}
