import { Checkbox, TextInput } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { createNewsletter } from '../../api/generated/sdk.gen.ts';
import type { CreateNewsletterRequest } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { pb } from '../../lib/paths.ts';
import { personZone } from '../../lib/zone.ts';
import { UnsavedGuard } from '../../lib/unsaved-guard.tsx';
import { useApiForm } from '../../lib/use-api-form.ts';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { WriteForm } from '../../ui/form/WriteForm.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import classes from './newsletters.module.css';
import { slugOf } from './slug.ts';

interface Values extends Record<string, unknown> {
  name: string;
  slug: string;
  from_email: string;
  double_opt_in: boolean;
}

const bodyOf = (values: Values): CreateNewsletterRequest => ({
  name: values.name.trim(),
  slug: values.slug.trim(),
  ...(values.from_email.trim() === '' ? {} : { from_email: values.from_email.trim() }),
  double_opt_in: values.double_opt_in,
  timezone: personZone(),
});

/** A name and a sender; everything else has a default and is in the settings. */
export function NewsletterNewPage() {
  const router = useRouter();
  const whyNot = useWhyNot('newsletters:write');
  const [ownSlug, setOwnSlug] = useState(false);
  const form = useApiForm<Values>({
    initialValues: { name: '', slug: '', from_email: '', double_opt_in: true },
  });
  const { fields } = form;
  const write = useWrite({
    call: (values: Values) => createNewsletter({ body: bodyOf(values), throwOnError: true }),
    changes: ['listNewsletters'],
    onDone: ({ id }) => {
      fields.resetDirty();
      router.history.replace(pb.newsletterTab(id, 'sign-up'));
    },
    onError: form.fail,
  });
  const onName = (name: string) => {
    fields.setFieldValue('name', name);
    if (!ownSlug) fields.setFieldValue('slug', slugOf(name));
  };
  return (
    <div className={classes['narrow']}>
      <PageHeader
        title="New newsletter"
        crumbs={[{ label: 'Newsletters', href: pb.newsletters() }]}
        actions={<CurlButton call={{ method: 'POST', path: '/v1/newsletters', body: bodyOf(fields.values) }} />}
      />
      <WriteForm
        label="New newsletter"
        form={form}
        write={write}
        submit="Create newsletter"
        disabledReason={whyNot}
        cancel={pb.newsletters()}
      >
        <TextInput
          label="Name"
          description="Readers see it on the sign-up page and as the sender."
          placeholder="Acme Weekly"
          maxLength={200}
          {...fields.getInputProps('name')}
          onChange={(event) => onName(event.currentTarget.value)}
        />
        <TextInput
          label="Address of its pages"
          description={`${window.location.origin}/n/${fields.values.slug === '' ? 'acme-weekly' : fields.values.slug}`}
          placeholder="acme-weekly"
          spellCheck={false}
          {...fields.getInputProps('slug')}
          onChange={(event) => {
            setOwnSlug(event.currentTarget.value !== '');
            fields.setFieldValue('slug', event.currentTarget.value);
          }}
        />
        <TextInput
          label="Sender"
          description="An address at a verified domain. You can add it later: sign-ups work without it, sending does not."
          placeholder="news@example.com"
          type="email"
          autoComplete="off"
          {...fields.getInputProps('from_email')}
        />
        <Checkbox
          label="Ask new subscribers to confirm by email (double opt-in)"
          description={
            'They are pending until they follow the link in that email. So nobody can sign up somebody else, and you ' +
            'can prove that each person agreed. Without it, everybody who fills in the form gets your issues.'
          }
          {...fields.getInputProps('double_opt_in', { type: 'checkbox' })}
        />
      </WriteForm>
      <UnsavedGuard
        when={fields.isDirty() && !write.isPending && !write.isSuccess}
        what="The newsletter has not been created yet."
      />
    </div>
  );
}
