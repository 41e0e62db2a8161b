import { useState } from 'react';
import { getScheduledEmail, updateScheduledEmail } from '../../../api/generated/sdk.gen.ts';
import type { ScheduledEmail } from '../../../api/generated/types.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { useApiForm } from '../../../lib/use-api-form.ts';
import { SCHEDULED_CHANGES } from '../scheduled-state.ts';
import { changeOf, type ContentValues, readVariables, valuesOf } from './edit-form.ts';

/** An email as it was read, with the tag that a change of it names. */
export interface SavedEmail {
  email: ScheduledEmail;
  etag: string;
}

const savedOf = ({ data, response }: { data: ScheduledEmail; response: Response }): SavedEmail => ({
  email: data,
  etag: response.headers.get('etag') ?? '',
});

/** The email of now, never one that a cache remembers. */
export const readForEditing = async (id: string): Promise<SavedEmail> =>
  savedOf(await getScheduledEmail({ path: { id }, cache: 'no-store', throwOnError: true }));

/** The content in a form, over the version that the server has. `onSaved` comes after a save that was taken. */
export function useContentForm(opened: SavedEmail, onSaved: () => void) {
  const path = { id: opened.email.id };
  const [saved, setSaved] = useState(opened);
  const [conflict, setConflict] = useState<SavedEmail>();
  const form = useApiForm<ContentValues>({ initialValues: valuesOf(opened.email) });
  const { fields } = form;
  const change = changeOf(fields.values, saved.email);
  const write = useWrite({
    call: async (over: SavedEmail) => {
      const headers = { 'If-Match': over.etag };
      const body = changeOf(fields.getValues(), over.email);
      if (Object.keys(body).length === 0) return { data: over };
      return { data: savedOf(await updateScheduledEmail({ path, headers, body, throwOnError: true })) };
    },
    changes: SCHEDULED_CHANGES,
    onDone: (now) => {
      setSaved(now);
      setConflict(undefined);
      onSaved();
    },
    onError: async (error) => {
      if (!(error instanceof ApiError) || error.status !== 409) return form.fail(error);
      const theirs = await readForEditing(path.id).catch(() => undefined); // the refusal itself is shown then
      // It has begun or was cancelled: nothing of what was written can be kept.
      if (theirs?.email.status !== 'scheduled') return form.fail(error);
      // An email that says what is written here is no conflict: the answer to our own save was lost.
      if (Object.keys(changeOf(fields.getValues(), theirs.email)).length === 0) write.mutate(theirs);
      else setConflict(theirs);
    },
  });
  const save = (over: SavedEmail = saved) => {
    form.clear();
    fields.clearErrors();
    if (readVariables(fields.values.variables) === undefined) {
      fields.setFieldError('variables', 'This is not an object in JSON, such as {"name": "Ada"}.');
    } else if (!write.isPending) write.mutate(over);
  };
  /** Gives up what was written for the version of the server. */
  const take = (theirs: SavedEmail) => {
    setSaved(theirs);
    setConflict(undefined);
    fields.setValues(valuesOf(theirs.email));
  };
  const isDirty = Object.keys(change).length > 0 || readVariables(fields.values.variables) === undefined;
  return { fields, problem: form.problem, saved, change, isDirty, isSaving: write.isPending, conflict, save, take };
}
