import { updateNewsletter } from '../../../api/generated/sdk.gen.ts';
import type { Newsletter } from '../../../api/generated/types.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { useApiForm } from '../../../lib/use-api-form.ts';
import { CurlButton } from '../../../ui/code/CurlButton.tsx';
import { SaveForm } from '../../../ui/form/WriteForm.tsx';
import { toastDone } from '../../../ui/toasts.tsx';
import classes from '../newsletters.module.css';
import { DeleteNewsletter } from './DeleteNewsletter.tsx';
import { changeOfNewsletter, type NewsletterValues, valuesOfNewsletter } from './newsletter-form.ts';
import { NewsletterFields } from './NewsletterFields.tsx';
import { SettingsPreview } from './SettingsPreview.tsx';

/** The settings, with the pages and the mail that they shape beside them. */
export function SettingsTab({ newsletter }: { newsletter: Newsletter }) {
  const whyNot = useWhyNot('newsletters:write');
  const saved = valuesOfNewsletter(newsletter);
  const form = useApiForm<NewsletterValues>({ initialValues: saved });
  const { fields } = form;
  const { id } = newsletter;
  const write = useWrite({
    call: (values: NewsletterValues) =>
      updateNewsletter({ path: { id }, body: changeOfNewsletter(values, saved), throwOnError: true }),
    changes: ['getNewsletter', 'listNewsletters', 'previewIssue'],
    onDone: (next) => {
      const values = valuesOfNewsletter(next);
      fields.setInitialValues(values);
      fields.setValues(values);
      toastDone('The settings are saved.');
    },
    onError: form.fail,
  });
  const change = changeOfNewsletter(fields.values, saved);
  return (
    <div className={classes['settings']}>
      <div>
        <SaveForm
          label="Settings of the newsletter"
          form={form}
          write={write}
          isDirty={Object.keys(change).length > 0}
          disabledReason={whyNot}
          more={<CurlButton call={{ method: 'PATCH', path: `/v1/newsletters/${id}`, body: change }} />}
        >
          <NewsletterFields fields={fields} />
        </SaveForm>
        <DeleteNewsletter newsletter={newsletter} />
      </div>
      <SettingsPreview newsletter={newsletter} change={change} />
    </div>
  );
}
