import type { ScheduledEmail } from '../../api/generated/types.gen.ts';
import { pb } from '../../lib/paths.ts';
import { usePreviewView } from '../../lib/use-preview-view.ts';
import { CodeBlock } from '../../ui/code/CodeBlock.tsx';
import { JsonView } from '../../ui/code/JsonView.tsx';
import { TextPart } from '../../ui/mail-message/MessageParts.tsx';
import { MessageViews } from '../../ui/mail-message/MessageViews.tsx';
import { MailPreview } from '../../ui/mail-preview/MailPreview.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { titleOf } from './scheduled-state.ts';
import classes from './scheduled.module.css';

/** The content as it was given: rendered, as HTML, as text; of a template, the data for it. */
export function ContentTab({ email }: { email: ScheduledEmail }) {
  const { html, text, template_id: templateId, variables } = email;
  const hasVariables = Object.keys(variables).length > 0;
  const views = [
    ...(html === null
      ? []
      : [
          { value: 'preview', label: 'Preview', show: () => <Rendered email={email} html={html} /> },
          { value: 'html', label: 'HTML', show: () => <CodeBlock code={html} label="the html" wrap /> },
        ]),
    ...(text === null ? [] : [{ value: 'text', label: 'Text', show: () => <TextPart text={text} /> }]),
    ...(hasVariables
      ? [{ value: 'variables', label: 'Variables', show: () => <JsonView value={variables} label="variables" /> }]
      : []),
  ];
  return (
    <div className={classes['stack']}>
      {templateId !== null && (
        <Notice tone="info">
          It is made of <a href={pb.template(templateId)}>a template</a> when it leaves, in the version that was
          published when it was scheduled.
        </Notice>
      )}
      {views.length > 0 && (
        <div>
          <MessageViews views={views} label="Part of the content" />
        </div>
      )}
    </div>
  );
}

function Rendered({ email, html }: { email: ScheduledEmail; html: string }) {
  const [view, setView] = usePreviewView();
  return <MailPreview html={html} label={`The email “${titleOf(email)}”`} view={view} onViewChange={setView} />;
}
