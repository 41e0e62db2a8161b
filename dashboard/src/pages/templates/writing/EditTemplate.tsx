import { SegmentedControl, Skeleton, TextInput, VisuallyHidden } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useState } from 'react';
import { useWhyNot } from '../../../api/session.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { pb } from '../../../lib/paths.ts';
import { UnsavedGuard } from '../../../lib/unsaved-guard.tsx';
import { useUrlState } from '../../../lib/use-url-state.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { CurlButton } from '../../../ui/code/CurlButton.tsx';
import { FormProblem } from '../../../ui/form/FormProblem.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { Section } from '../../../ui/Section.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { VariableInput } from '../../../ui/writing/VariableInput.tsx';
import { LayoutSelect } from './LayoutSelect.tsx';
import type { SavedTemplate } from './read-for-editing.ts';
import { SendTemplateTest } from '../SendTemplateTest.tsx';
import { SourceField } from './SourceField.tsx';
import { readSamples } from './template-form.ts';
import { stateOf, versionWords } from '../template-state.ts';
import classes from '../templates.module.css';
import { useTemplateForm } from './use-template-form.ts';

const RenderedPreview = lazyPart(
  () => import('../RenderedPreview.tsx').then((file) => file.RenderedPreview),
  <Skeleton height={320} />,
);
const VariablesField = lazyPart(
  () => import('./VariablesField.tsx').then((file) => file.VariablesField),
  <Skeleton height={120} />,
);
// Below the edge of the window.
const SamplesField = lazyPart(() => import('./SamplesField.tsx').then((file) => file.SamplesField));
const TemplateConflict = lazyPart(() => import('./TemplateConflict.tsx').then((file) => file.TemplateConflict));

const VIEWS = [
  { value: 'write', label: 'Write' },
  { value: 'preview', label: 'Preview' },
];

/** A template is written: saved as a draft when asked, published when asked, with the saved version beside it. */
export function EditTemplate({ opened }: { opened: SavedTemplate }) {
  const [{ view }, setUrl] = useUrlState(['view']);
  const roleReason = useWhyNot('templates:write');
  const readOnly = roleReason !== undefined;
  const writing = useTemplateForm(opened);
  const { fields, saved, change, isDirty, isSaving, hasConflict } = writing;
  const { template } = saved;
  const { id } = template;
  const [opening, setOpening] = useState(0);
  const nothing = isDirty ? undefined : 'Nothing is changed.';
  const waits = isDirty || template.version !== template.published_version;
  const chooses = hasConflict ? 'Choose the version that stands first.' : undefined;
  useHotkeys([['mod+S', () => !readOnly && !hasConflict && isDirty && writing.save({ publish: false })]], [], true);
  const { tone, words } = stateOf(template);
  const said = isDirty ? 'Not saved yet. Your text is kept in this browser.' : `Saved. ${versionWords(template)}`;
  return (
    <>
      <PageHeader
        title={fields.values.name.trim() || 'Untitled template'}
        crumbs={[
          { label: 'Templates', href: pb.templates() },
          { label: template.name, href: pb.template(id) },
        ]}
        badge={<StatusBadge tone={tone}>{words}</StatusBadge>}
        actions={
          <>
            <CurlButton call={{ method: 'PATCH', path: `/v1/templates/${id}`, body: { ...change, publish: false } }} />
            <SendTemplateTest template={template} held={isDirty ? 'Save the draft first.' : undefined} />
            <ActionButton
              variant="default"
              loading={isSaving === 'draft'}
              disabledReason={roleReason ?? chooses ?? nothing}
              onClick={() => writing.save({ publish: false })}
            >
              Save draft
            </ActionButton>
            <ActionButton
              loading={isSaving === 'published'}
              disabledReason={roleReason ?? chooses ?? (waits ? undefined : 'The newest version is published.')}
              onClick={() => writing.save({ publish: true })}
            >
              Publish
            </ActionButton>
          </>
        }
      />
      <UnsavedGuard when={isDirty} what="Your last words are not saved yet. They are kept in this browser." />
      <div className={classes['bar']}>
        <div className={classes['switch']}>
          <SegmentedControl
            size="xs"
            aria-label="View"
            data={VIEWS}
            value={view === 'preview' ? 'preview' : 'write'}
            onChange={(next) => setUrl({ view: next === 'write' ? undefined : next })}
          />
        </div>
        <span className={classes['state']}>{said}</span>
        <VisuallyHidden role="status">
          {hasConflict ? 'Not saved: somebody else changed this template.' : ''}
        </VisuallyHidden>
      </div>
      {roleReason !== undefined && <Notice tone="info">{roleReason}</Notice>}
      <FormProblem error={writing.problem} />
      {hasConflict && (
        <TemplateConflict
          id={id}
          mine={fields.values}
          onMine={(over) => writing.save({ publish: false, over })}
          onTheirs={(theirs) => {
            writing.take(theirs);
            setOpening((count) => count + 1);
          }}
        />
      )}
      <div className={classes['desk']} data-view={view === 'preview' ? 'preview' : 'write'}>
        <div className={classes['write']}>
          <Section title="Text" plain>
            <div className={classes['stack']}>
              <VariableInput
                label="Subject"
                maxLength={998}
                readOnly={readOnly}
                {...fields.getInputProps('subject')}
                value={fields.values.subject}
              />
              <VariableInput
                label="Preheader"
                description="Inboxes show it beside the subject."
                maxLength={500}
                readOnly={readOnly}
                {...fields.getInputProps('preheader')}
                value={fields.values.preheader}
              />
              <SourceField fields={fields} opening={opening} readOnly={readOnly} />
            </div>
          </Section>
          <Section title="Variables" description="Read from the saved text. You can say more of each." plain>
            <VariablesField fields={fields} variables={template.variables} readOnly={readOnly} />
          </Section>
          <Section title="Samples" description="A version is published only when all of them render." plain>
            <SamplesField fields={fields} variables={template.variables} readOnly={readOnly} />
          </Section>
          <Section title="Envelope" description="For sends that give none." plain>
            <div className={classes['stack']}>
              <TextInput
                label="From"
                placeholder="Acme <hello@example.com>"
                readOnly={readOnly}
                {...fields.getInputProps('from')}
              />
              <TextInput
                label="Reply-To"
                description="Commas stand between addresses."
                readOnly={readOnly}
                {...fields.getInputProps('reply_to')}
              />
              <LayoutSelect
                ownId={id}
                value={fields.values.layout}
                error={fields.errors['layout']}
                readOnly={readOnly}
                onChange={(layout) => fields.setFieldValue('layout', layout)}
              />
            </div>
          </Section>
          <Section
            title="Name"
            description="Both count as soon as the draft is saved, also for what is published."
            plain
          >
            <div className={classes['two']}>
              <TextInput label="Name" maxLength={200} readOnly={readOnly} {...fields.getInputProps('name')} />
              <TextInput
                label="Alias"
                maxLength={100}
                spellCheck={false}
                readOnly={readOnly}
                {...fields.getInputProps('alias')}
              />
            </div>
          </Section>
        </div>
        <div className={`${classes['stack']} ${classes['beside']}`}>
          {isDirty && (
            <Notice tone="quiet">This is the saved version. Save the draft (Ctrl+S) to see your changes here.</Notice>
          )}
          <RenderedPreview id={id} version={template.version} samples={readSamples(fields.values.samples)} />
        </div>
      </div>
    </>
  );
}
