import { useEffect, useState } from 'react';
import { publishTemplate, updateTemplate } from '../../../api/generated/sdk.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { useApiForm } from '../../../lib/use-api-form.ts';
import { toastDone } from '../../../ui/toasts.tsx';
import { keepText, readKeptText } from './kept-text.ts';
import { readForEditing, savedOf, type SavedTemplate } from './read-for-editing.ts';
import { changeOfTemplate, faultsOfTemplate, type TemplateValues, valuesOfTemplate } from './template-form.ts';
import { TEMPLATE_CHANGES } from '../template-state.ts';

interface Save {
  publish: boolean;
  /** After a conflict: the version that this text replaces. */
  over?: SavedTemplate;
}

const isChanged = (values: TemplateValues, { template }: SavedTemplate): boolean =>
  Object.keys(changeOfTemplate(values, template)).length > 0;

/** The text of a template in a form, over the version that the server has. */
export function useTemplateForm(opened: SavedTemplate) {
  const { id } = opened.template;
  // As the page was opened: text that this browser kept meets another version of the server as a conflict.
  const [kept] = useState(() => {
    const text = readKeptText(id);
    return text !== null && isChanged(text.values, opened) ? text : null;
  });
  const [saved, setSaved] = useState<SavedTemplate>({ ...opened, etag: kept?.etag ?? opened.etag });
  const [hasConflict, setConflict] = useState(false);
  const form = useApiForm<TemplateValues>({ initialValues: kept?.values ?? valuesOfTemplate(opened.template) });
  const { fields } = form;
  const { values } = fields;
  const change = changeOfTemplate(values, saved.template);
  const isDirty = isChanged(values, saved);
  useEffect(() => {
    keepText(id, isDirty ? { values, etag: saved.etag } : null);
  }, [id, isDirty, values, saved.etag]);

  const write = useWrite({
    call: async ({ publish, over = saved }: Save) => {
      const body = changeOfTemplate(values, over.template);
      let now = over;
      if (Object.keys(body).length > 0) {
        const headers = { 'If-Match': over.etag };
        now = savedOf(
          await updateTemplate({ path: { id }, headers, body: { ...body, publish: false }, throwOnError: true }),
        );
        // Words that were typed in the meantime stay, over the new version.
        setSaved(now);
        fields.setValues((current) =>
          JSON.stringify(current) === JSON.stringify(values) ? valuesOfTemplate(now.template) : {},
        );
      }
      if (publish) {
        const { version } = now.template;
        const headers = { 'If-Match': now.etag };
        now = savedOf(await publishTemplate({ path: { id }, headers, body: { version }, throwOnError: true }));
      }
      return { data: now };
    },
    changes: TEMPLATE_CHANGES,
    onDone: (now, { publish }) => {
      setSaved(now);
      setConflict(false);
      if (publish) toastDone(`Version ${now.template.version} is published.`);
    },
    onError: async (error, { publish }) => {
      const isConflict = error instanceof ApiError && error.status === 409 && error.param !== 'alias';
      // With a time to come again it is no conflict: the publication that was asked for before still runs.
      if (!isConflict || error.retryAfterSeconds !== undefined) return form.fail(error);
      const theirs = await readForEditing(id).catch(() => undefined); // the page that shows the conflict reads it again
      // A template that says what is written here is no conflict: the answer to our own save was lost.
      if (theirs !== undefined && theirs.etag !== saved.etag && !isChanged(values, theirs)) {
        write.mutate({ publish, over: theirs });
      } else setConflict(true);
    },
  });

  const save = (how: Save) => {
    form.clear();
    fields.clearErrors();
    const faults = faultsOfTemplate(values);
    if (Object.keys(faults).length > 0) fields.setErrors(faults);
    else if (!write.isPending) write.mutate(how);
  };
  /** Gives up what was written for a version of the server. */
  const take = (theirs: SavedTemplate) => {
    setSaved(theirs);
    fields.setValues(valuesOfTemplate(theirs.template));
    setConflict(false);
  };
  const isSaving = write.isPending
    ? write.variables.publish
      ? ('published' as const)
      : ('draft' as const)
    : undefined;
  return { fields, problem: form.problem, saved, change, isDirty, isSaving, hasConflict, save, take };
}
