import { SegmentedControl, Skeleton, VisuallyHidden } from '@mantine/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { updateIssue } from '../../../api/generated/sdk.gen.ts';
import type { Issue, Newsletter } from '../../../api/generated/types.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { errorSentence } from '../../../lib/api-error.ts';
import { connection } from '../../../lib/connection.ts';
import { UnsavedGuard } from '../../../lib/unsaved-guard.tsx';
import { useUrlState } from '../../../lib/use-url-state.ts';
import { CurlButton } from '../../../ui/code/CurlButton.tsx';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { shownSubject } from '../../../lib/blocks/shown-subject.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { type Crumb, PageHeader } from '../../../ui/PageHeader.tsx';
import { Section } from '../../../ui/Section.tsx';
import { pictureStore } from '../picture-store.ts';
import { Autosave, type SaveState } from './autosave.ts';
import { CheckPanel } from './CheckPanel.tsx';
import { type Draft, draftOf, isSameDraft, keepDraft, readKeptDraft } from './draft.ts';
import { GivenUp, useGivenUp } from './GivenUp.tsx';
import classes from './issues.module.css';
import { ScheduleIssue } from './ScheduleIssue.tsx';
import { type IssueIds, SendIssue } from './SendIssue.tsx';
import { SendTest } from './SendTest.tsx';
import { TemplateInput, VARIABLES } from './TemplateInput.tsx';

const IssueEditor = lazyPart(
  () => import('../../../ui/editor/IssueEditor.tsx').then((file) => file.IssueEditor),
  <Skeleton height={320} radius="md" aria-label="The editor is loading" />,
);
const Conflict = lazyPart(() => import('./Conflict.tsx').then((file) => file.Conflict));
const PreviewPanel = lazyPart(() => import('./PreviewPanel.tsx').then((file) => file.PreviewPanel));

const WORDS: Readonly<Record<SaveState['kind'], string>> = {
  saved: 'Saved',
  unsaved: 'Not saved yet',
  saving: 'Saving …',
  offline: 'Not saved: the server cannot be reached. Your text is kept in this browser, and saving is tried again.',
  refused: 'Not saved',
  conflict: 'Not saved: somebody else has changed this issue.',
};
const MODES = [
  { value: 'write', label: 'Write' },
  { value: 'preview', label: 'Preview' },
];

interface Props {
  path: IssueIds;
  issue: Issue;
  etag: string;
  newsletter: Newsletter;
  crumbs: readonly Crumb[];
}

function makeAutosave(path: IssueIds, etag: string): Autosave<Draft> {
  return new Autosave<Draft>({
    etag,
    keep: (draft, over) => keepDraft(path.issueId, draft === null ? null : { draft, etag: over }),
    save: async ({ subject, preheader, html, editor }, over) => {
      const { response } = await updateIssue({
        path,
        headers: { 'If-Match': over },
        body: { subject, preheader: preheader === '' ? null : preheader, html_body: html, editor },
        throwOnError: true,
      });
      return response.headers.get('etag') ?? '';
    },
  });
}

/** Subject, preheader and body, saved while they are written. */
export function Writing({ path, issue, etag, newsletter, crumbs }: Props) {
  const [{ view }, setUrl] = useUrlState(['view']);
  // As the page was opened: a later answer for the issue makes it neither another draft nor none.
  const [restored] = useState(() => {
    const kept = readKeptDraft(path.issueId);
    return kept !== null && !isSameDraft(kept.draft, draftOf(issue)) ? kept : null;
  });
  // A draft that was written over another version meets that of the server as a conflict.
  const [autosave] = useState(() => makeAutosave(path, restored?.etag ?? etag));
  const [draft, setDraft] = useState<Draft>(() => restored?.draft ?? draftOf(issue));
  const [opening, setOpening] = useState(0);
  const givenUp = useGivenUp(path.issueId);
  const state = useSyncExternalStore(autosave.subscribe, autosave.state);
  const roleReason = useWhyNot(issue.status === 'scheduled' ? 'issues:send' : 'issues:write');
  useEffect(() => {
    if (restored !== null) autosave.change(restored.draft);
    return () => void autosave.flush();
  }, [autosave, restored]);
  // As soon as the connection is back, and not at the next of the tries.
  useEffect(() => {
    return connection.subscribe(() => {
      if (connection.lostSince() === undefined && autosave.state().kind === 'offline') void autosave.flush();
    });
  }, [autosave]);
  const change = (part: Partial<Draft>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    autosave.change(next);
  };
  const replace = (next: Draft) => {
    setDraft(next);
    setOpening((count) => count + 1);
  };
  const takeTheirs = (theirs: Draft, over: string) => {
    replace(theirs);
    void autosave.insist(theirs, over);
    givenUp.giveUp(draft, over);
  };
  const takeMineAgain = (mine: Draft) => {
    replace(mine);
    autosave.change(mine);
    givenUp.putAway();
  };
  const isSaved = state.kind === 'saved';
  const said = state.kind === 'refused' ? `${WORDS.refused}: ${errorSentence(state.error)}` : WORDS[state.kind];
  const spoken = useSpoken(state, said);
  const held = isSaved ? undefined : 'Wait until the text is saved.';
  const readOnly = roleReason !== undefined;
  return (
    <>
      <PageHeader
        title={shownSubject(draft.subject) || 'Untitled issue'}
        crumbs={crumbs}
        actions={
          <>
            <CurlButton call={{ method: 'GET', path: `/v1/newsletters/${path.id}/issues/${path.issueId}` }} />
            <SendTest path={path} held={held} />
            <ScheduleIssue path={path} zone={issue.timezone ?? newsletter.timezone} held={held} />
            <SendIssue
              path={path}
              subject={shownSubject(draft.subject)}
              held={held}
              version={isSaved ? draft : 'unsaved'}
            />
          </>
        }
      />
      <UnsavedGuard when={!isSaved} what="Your last words are not saved yet. They are kept in this browser." />
      <div className={classes['bar']}>
        <SegmentedControl
          size="xs"
          aria-label="View"
          data={MODES}
          value={view === 'preview' ? 'preview' : 'write'}
          onChange={(next) => setUrl({ view: next === 'write' ? undefined : next })}
        />
        <span className={classes['state']}>{said}</span>
        <VisuallyHidden role="status">{spoken}</VisuallyHidden>
      </div>
      {roleReason !== undefined && <Notice tone="info">{roleReason}</Notice>}
      {givenUp.draft !== undefined && state.kind !== 'conflict' && (
        <GivenUp
          draft={givenUp.draft}
          disabled={readOnly}
          onTake={() => givenUp.draft !== undefined && takeMineAgain(givenUp.draft)}
          onPutAway={givenUp.putAway}
        />
      )}
      {state.kind === 'conflict' && (
        <Conflict path={path} mine={draft} onMine={(over) => void autosave.insist(draft, over)} onTheirs={takeTheirs} />
      )}
      <div
        hidden={view === 'preview'}
        className={classes['desk']}
        style={view === 'preview' ? { display: 'none' } : {}}
      >
        <div className={classes['write']}>
          <TemplateInput
            label="Subject"
            value={draft.subject}
            maxLength={998}
            readOnly={readOnly}
            onChange={(subject) => change({ subject })}
          />
          <TemplateInput
            label="Preheader"
            description="Inboxes show it beside the subject."
            value={draft.preheader}
            maxLength={500}
            readOnly={readOnly}
            onChange={(preheader) => change({ preheader })}
          />
          <IssueEditor
            key={opening}
            value={{ html: draft.html, editor: draft.editor as never }} // the editor reads it with care
            onChange={({ html, editor }) => change({ html, editor: editor as never })} // JSON, by its own type
            pictures={pictureStore}
            variables={VARIABLES}
            brand={{ color: newsletter.accent_color ?? '#1f1f26' }}
            readOnly={readOnly}
          />
        </div>
        <Section title="Before you send" plain>
          <CheckPanel path={path} version={isSaved ? draft : 'unsaved'} />
        </Section>
      </div>
      {view === 'preview' && (isSaved ? <PreviewPanel path={path} /> : <Notice tone="quiet">{held}</Notice>)}
    </>
  );
}

/** Trouble is announced, and its end. The rest changes with every pause of the typing, and would only disturb. */
function useSpoken(state: SaveState, said: string): string {
  const isTrouble = state.kind === 'offline' || state.kind === 'refused' || state.kind === 'conflict';
  const [wasTrouble, setTrouble] = useState(false);
  if (isTrouble && !wasTrouble) setTrouble(true);
  if (isTrouble) return said;
  return wasTrouble && state.kind === 'saved' ? 'Your text is saved again.' : '';
}
