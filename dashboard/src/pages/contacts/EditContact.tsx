import { Skeleton, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { allProperties } from '../../api/audience.ts';
import { getContact, updateContact } from '../../api/generated/sdk.gen.ts';
import type { Contact, ContactProperty } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { ApiError } from '../../lib/api-error.ts';
import { useApiForm } from '../../lib/use-api-form.ts';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { SaveForm } from '../../ui/form/WriteForm.tsx';
import { toastDone, toastError } from '../../ui/toasts.tsx';
import { bodyOfChange, type ContactValues, faultOfProperties, valuesOf } from './contact-form.ts';
import { CONTACTS_CHANGE } from './contacts-change.ts';
import { ContactConflict } from './ContactConflict.tsx';
import classes from './contacts.module.css';
import { PropertyFields } from './PropertyFields.tsx';

/** A contact as it was read, with the tag that a change of it names. */
interface Saved {
  contact: Contact;
  etag: string;
}

const savedOf = ({ data, response }: { data: Contact; response: Response }): Saved => ({
  contact: data,
  etag: response.headers.get('etag') ?? '',
});

const readForEditing = async (id: string): Promise<Saved> =>
  savedOf(await getContact({ path: { id }, cache: 'no-store', throwOnError: true }));

export function EditContact({ id }: { id: string }) {
  // Read once for each visit: the text of the form is the person's from then on.
  const read = useQuery({
    queryKey: [{ _id: 'contactToEdit', id }],
    queryFn: () => readForEditing(id),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
  const known = useQuery(allProperties);
  const error = read.error ?? known.error;
  if (read.data !== undefined && known.data !== undefined) return <EditForm opened={read.data} known={known.data} />;
  if (error === null) return <Skeleton height={320} />;
  return <ErrorState error={error} onRetry={() => void Promise.all([read.refetch(), known.refetch()])} />;
}

function EditForm({ opened, known }: { opened: Saved; known: readonly ContactProperty[] }) {
  const whyNot = useWhyNot('contacts:write');
  const [saved, setSaved] = useState(opened);
  const [theirs, setTheirs] = useState<Saved>();
  const form = useApiForm<ContactValues>({
    initialValues: valuesOf(opened.contact, known),
    validate: { email: (text) => (text.trim() === '' ? 'Enter an address.' : null), properties: faultOfProperties },
  });
  const { fields } = form;
  const { id } = saved.contact;
  /** `sent`: what was typed since stays, over the new version. */
  const take = (next: Saved, sent?: ContactValues) => {
    const values = valuesOf(next.contact, known);
    setSaved(next);
    setTheirs(undefined);
    fields.setInitialValues(values);
    fields.setValues((now) => (sent === undefined || JSON.stringify(now) === JSON.stringify(sent) ? values : {}));
  };
  /** A contact that says what is written here is no conflict: the answer to our own save was lost. */
  const settle = (now: Saved) => {
    const values = fields.getValues();
    if (Object.keys(bodyOfChange(values, now.contact)).length === 0) write.mutate({ values, over: now });
    else setTheirs(now);
  };
  const write = useWrite({
    call: async ({ values, over }: { values: ContactValues; over: Saved }) => {
      const body = bodyOfChange(values, over.contact);
      if (Object.keys(body).length === 0) return { data: over };
      const headers = { 'If-Match': over.etag };
      return { data: savedOf(await updateContact({ path: { id }, headers, body, throwOnError: true })) };
    },
    changes: CONTACTS_CHANGE,
    onDone: (next, { values }) => {
      take(next, values);
      toastDone('The contact is changed.');
    },
    onError: (error) => {
      // The other conflict is an address that another contact has.
      const isConflict = error instanceof ApiError && error.status === 409 && error.param !== 'email';
      if (isConflict) void readForEditing(id).then(settle, toastError);
      else form.fail(error);
    },
  });
  const change = bodyOfChange(fields.values, saved.contact);
  return (
    <div className={classes['narrow']}>
      {theirs !== undefined && (
        <ContactConflict
          theirs={theirs.contact}
          before={saved.contact}
          isSaving={write.isPending}
          onMine={() => write.mutate({ values: fields.values, over: theirs })}
          onTheirs={() => take(theirs)}
        />
      )}
      <SaveForm
        label="Edit the contact"
        form={form}
        write={{ ...write, mutate: (values) => write.mutate({ values, over: saved }) }}
        isDirty={Object.keys(change).length > 0}
        disabledReason={whyNot}
        more={<CurlButton call={{ method: 'PATCH', path: `/v1/contacts/${id}`, body: change }} />}
      >
        <TextInput label="Address" type="email" {...fields.getInputProps('email')} />
        <div className={classes['two']}>
          <TextInput label="First name" {...fields.getInputProps('first_name')} />
          <TextInput label="Last name" {...fields.getInputProps('last_name')} />
        </div>
        <TextInput
          label="Whole name"
          description="Only when it is not the two together."
          {...fields.getInputProps('name')}
        />
        <div className={classes['two']}>
          <TextInput label="Time zone" placeholder="Europe/Berlin" {...fields.getInputProps('timezone')} />
          <TextInput label="Language" placeholder="en-GB" {...fields.getInputProps('language')} />
        </div>
        <PropertyFields known={known} {...fields.getInputProps('properties')} />
      </SaveForm>
    </div>
  );
}
