import { updateIssue } from '../../../api/generated/sdk.gen.ts';
import type { Issue, Newsletter } from '../../../api/generated/types.gen.ts';
import { pictureStore } from '../../../api/picture-store.ts';
import { useWhyNot } from '../../../api/session.ts';
import { shownSubject } from '../../../lib/blocks/shown-subject.ts';
import { useWriting } from '../../../lib/drafts/use-writing.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { UnsavedGuard } from '../../../lib/unsaved-guard.tsx';
import { useUrlState } from '../../../lib/use-url-state.ts';
import { CurlButton } from '../../../ui/code/CurlButton.tsx';
import { IssueEditor } from '../../../ui/editor/IssueEditor.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { type Crumb, PageHeader } from '../../../ui/PageHeader.tsx';
import { Section } from '../../../ui/Section.tsx';
import { Desk } from '../../../ui/writing/Desk.tsx';
import { GivenUp } from '../../../ui/writing/GivenUp.tsx';
import { TemplateInput } from '../../../ui/writing/TemplateInput.tsx';
import { WritingBar } from '../../../ui/writing/WritingBar.tsx';
import { CheckPanel } from './CheckPanel.tsx';
import { DEFAULT_ACCENT, UNTITLED } from '../defaults.ts';
import { type Draft, draftOf, isSameDraft, issueDrafts } from './draft.ts';
import { VARIABLES } from './issue-variables.ts';
import { readInState } from './read-for-editing.ts';
import { ScheduleIssue } from './ScheduleIssue.tsx';
import { type IssueIds, SendIssue } from './SendIssue.tsx';
import { SendTest } from './SendTest.tsx';

const Conflict = lazyPart(() => import('./Conflict.tsx').then((file) => file.Conflict));
const PreviewPanel = lazyPart(() => import('./PreviewPanel.tsx').then((file) => file.PreviewPanel));

interface Props {
  path: IssueIds;
  issue: Issue;
  etag: string;
  newsletter: Newsletter;
  crumbs: readonly Crumb[];
}

async function save(path: IssueIds, { subject, preheader, html, editor }: Draft, over: string): Promise<string> {
  const { response } = await updateIssue({
    path,
    headers: { 'If-Match': over },
    body: { subject, preheader: preheader === '' ? null : preheader, html_body: html, editor },
    throwOnError: true,
  });
  return response.headers.get('etag') ?? '';
}

/** Subject, preheader and body, saved while they are written. */
export function Writing({ path, issue, etag, newsletter, crumbs }: Props) {
  const [{ view }, setUrl] = useUrlState(['view']);
  const writing = useWriting<Draft>({
    id: path.issueId,
    opened: draftOf(issue),
    etag,
    store: issueDrafts,
    isSame: isSameDraft,
    save: (draft, over) => save(path, draft, over),
    read: () => readInState(path, issue.status),
  });
  const { draft, saved, state, isSaved, change } = writing;
  const roleReason = useWhyNot(issue.status === 'scheduled' ? 'issues:send' : 'issues:write');
  const { trouble: held, settle } = writing;
  const untitled = draft.subject.trim() === UNTITLED ? 'Write a subject first.' : undefined;
  const readOnly = roleReason !== undefined;
  return (
    <>
      <PageHeader
        title={shownSubject(draft.subject) || UNTITLED}
        crumbs={crumbs}
        actions={
          <>
            <CurlButton call={{ method: 'GET', path: `/v1/newsletters/${path.id}/issues/${path.issueId}` }} />
            <SendTest path={path} held={held} settle={settle} />
            <ScheduleIssue
              path={path}
              zone={issue.timezone ?? newsletter.timezone}
              held={held ?? untitled}
              settle={settle}
            />
            <SendIssue
              path={path}
              subject={shownSubject(draft.subject)}
              held={held ?? untitled}
              settle={settle}
              version={saved}
              isSaved={isSaved}
            />
          </>
        }
      />
      <UnsavedGuard when={!isSaved} what="Your last words are not saved yet. They are kept in this browser." />
      <WritingBar noun="issue" view={view} onView={(next) => setUrl({ view: next })} state={state} />
      {roleReason !== undefined && <Notice tone="info">{roleReason}</Notice>}
      {writing.givenUp !== undefined && state.kind !== 'conflict' && (
        <GivenUp
          title={writing.givenUp.subject || UNTITLED}
          html={writing.givenUp.html}
          disabled={readOnly}
          onTake={writing.takeGivenUp}
          onPutAway={writing.putAway}
        />
      )}
      {state.kind === 'conflict' && (
        <Conflict path={path} mine={draft} onMine={writing.keepMine} onTheirs={writing.takeTheirs} />
      )}
      <Desk
        hidden={view === 'preview'}
        beside={
          <Section title="Before you send" plain>
            <CheckPanel path={path} version={saved} isSaved={isSaved} />
          </Section>
        }
      >
        <TemplateInput
          label="Subject"
          value={draft.subject}
          maxLength={998}
          readOnly={readOnly}
          variables={VARIABLES}
          onChange={(subject) => change({ subject })}
        />
        <TemplateInput
          label="Preheader"
          description="Inboxes show it beside the subject."
          value={draft.preheader}
          maxLength={500}
          readOnly={readOnly}
          variables={VARIABLES}
          onChange={(preheader) => change({ preheader })}
        />
        <IssueEditor
          key={writing.opening}
          value={{ html: draft.html, editor: draft.editor as never }} // the editor reads it with care
          onChange={({ html, editor }) => change({ html, editor: editor as never })} // JSON, by its own type
          pictures={pictureStore}
          variables={VARIABLES}
          brand={{ color: newsletter.accent_color ?? DEFAULT_ACCENT }}
          readOnly={readOnly}
        />
      </Desk>
      {view === 'preview' &&
        (isSaved ? <PreviewPanel path={path} /> : <Notice tone="quiet">{held ?? 'The text is being saved.'}</Notice>)}
    </>
  );
}
