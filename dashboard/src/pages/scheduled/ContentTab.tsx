import { SegmentedControl } from '@mantine/core';
import type { ScheduledEmail } from '../../api/generated/types.gen.ts';
import { pb } from '../../lib/paths.ts';
import { usePreviewView } from '../../lib/use-preview-view.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { CodeBlock } from '../../ui/code/CodeBlock.tsx';
import { JsonView } from '../../ui/code/JsonView.tsx';
import { TextPart } from '../../ui/mail-message/MessageParts.tsx';
import { MailPreview } from '../../ui/mail-preview/MailPreview.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { titleOf } from './scheduled-state.ts';
import classes from './scheduled.module.css';

/** The content as it was given: rendered, as HTML, as text; of a template, the data for it. */
export function ContentTab({ email }: { email: ScheduledEmail }) {
  const [{ view }, setUrl] = useUrlState(['view']);
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
  const open = views.find(({ value }) => value === view) ?? views[0];
  return (
    <div className={classes['stack']}>
      {templateId !== null && (
        <Notice tone="info">
          It is made of <a href={pb.template(templateId)}>a template</a> when it leaves, in the version that was
          published when it was scheduled.
        </Notice>
      )}
      {views.length > 1 && (
        <div>
          <SegmentedControl
            size="xs"
            aria-label="Part of the content"
            data={views.map(({ value, label }) => ({ value, label }))}
            value={open?.value ?? ''}
            onChange={(value) => setUrl({ view: value === views[0]?.value ? undefined : value })}
          />
        </div>
      )}
      {open?.show()}
    </div>
  );
}

function Rendered({ email, html }: { email: ScheduledEmail; html: string }) {
  const [view, setView] = usePreviewView();
  return <MailPreview html={html} label={`The email “${titleOf(email)}”`} view={view} onViewChange={setView} />;
}
