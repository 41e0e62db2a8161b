import { type ReactNode, useState } from 'react';
import { counted } from '../../lib/number.ts';
import { UnsavedGuard } from '../../lib/unsaved-guard.tsx';
import { ActionButton } from '../ActionButton.tsx';
import type { EditorProps, IssueBody } from '../editor/editor-types.ts';
import { IssueEditor } from '../editor/IssueEditor.tsx';
import { FormProblem } from '../form/FormProblem.tsx';
import { Notice } from '../Notice.tsx';
import { type Crumb, PageHeader } from '../PageHeader.tsx';
import { Desk } from './Desk.tsx';
import { TemplateInput } from './TemplateInput.tsx';

/** The texts of a mailing that is paused. */
export interface PausedTexts extends IssueBody {
  subject: string;
  preheader: string;
}

interface Props extends Pick<EditorProps, 'pictures' | 'variables' | 'brand'> {
  noun: 'broadcast' | 'issue';
  title: string;
  crumbs: readonly Crumb[];
  overviewHref: string;
  opened: PausedTexts;
  /** Its body is that of a template, and is not written here. */
  isOfTemplate?: boolean;
  /** Recipients who were sent nothing yet. */
  waiting: number;
  /** Why the person may not. */
  roleReason: string | undefined;
  problem?: unknown;
  loading: boolean;
  onSave: (texts: PausedTexts) => void;
  actions?: ReactNode;
}

/**
 * Writes the next version of a mailing that is paused. Each save is a version that recipients get, so it is saved when
 * the person says so and not while they write.
 */
export function NextVersion({ noun, opened, waiting, roleReason, ...props }: Props) {
  const [texts, setTexts] = useState(opened);
  const { variables, loading, problem } = props;
  const change = (changed: Partial<PausedTexts>) => setTexts((before) => ({ ...before, ...changed }));
  const isSame = JSON.stringify(texts) === JSON.stringify(opened);
  const readOnly = roleReason !== undefined;
  const nothingNew = isSame ? 'Nothing has changed yet.' : undefined;
  return (
    <>
      <PageHeader
        title={props.title}
        crumbs={props.crumbs}
        actions={
          <>
            {props.actions}
            <ActionButton variant="default" href={props.overviewHref}>
              Overview
            </ActionButton>
            <ActionButton
              loading={loading}
              disabledReason={roleReason ?? nothingNew}
              onClick={() => props.onSave(texts)}
            >
              Save the next version
            </ActionButton>
          </>
        }
      />
      <UnsavedGuard when={!isSame && !loading} what="The next version is not saved." />
      <Notice tone="info">
        The {noun} is paused. {counted(waiting, 'recipient')} {waiting === 1 ? 'was' : 'were'} not sent it yet and{' '}
        {waiting === 1 ? 'gets' : 'get'} this version when it goes on. Nobody gets it twice.
      </Notice>
      <FormProblem error={problem} />
      <Desk hidden={false} beside={null}>
        <TemplateInput
          label="Subject"
          value={texts.subject}
          maxLength={998}
          readOnly={readOnly}
          variables={variables}
          onChange={(subject) => change({ subject })}
        />
        <TemplateInput
          label="Preheader"
          description="Inboxes show it beside the subject."
          value={texts.preheader}
          maxLength={500}
          readOnly={readOnly}
          variables={variables}
          onChange={(preheader) => change({ preheader })}
        />
        {props.isOfTemplate !== true && (
          <IssueEditor
            value={{ html: opened.html, editor: opened.editor }}
            onChange={({ html, editor }) => change({ html, editor })}
            pictures={props.pictures}
            variables={variables}
            brand={props.brand}
            readOnly={readOnly}
            label={`Body of the ${noun}`}
          />
        )}
      </Desk>
    </>
  );
}
