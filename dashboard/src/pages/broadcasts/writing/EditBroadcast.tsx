import { Skeleton } from '@mantine/core';
import { updateBroadcast } from '../../../api/generated/sdk.gen.ts';
import { pictureStore } from '../../../api/picture-store.ts';
import { useSession, useWhyNot } from '../../../api/session.ts';
import { useWriting } from '../../../lib/drafts/use-writing.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { pb } from '../../../lib/paths.ts';
import { UnsavedGuard } from '../../../lib/unsaved-guard.tsx';
import { useUrlState } from '../../../lib/use-url-state.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { CurlButton } from '../../../ui/code/CurlButton.tsx';
import { IssueEditor } from '../../../ui/editor/IssueEditor.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { type Crumb, PageHeader } from '../../../ui/PageHeader.tsx';
import { MAILING_STATES } from '../../../ui/results/mailing-states.ts';
import { Section } from '../../../ui/Section.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { Desk } from '../../../ui/writing/Desk.tsx';
import { GivenUp } from '../../../ui/writing/GivenUp.tsx';
import { TemplateInput } from '../../../ui/writing/TemplateInput.tsx';
import { WritingBar } from '../../../ui/writing/WritingBar.tsx';
import { ScheduleBroadcast } from '../sending/ScheduleBroadcast.tsx';
import { SendBroadcast } from '../sending/SendBroadcast.tsx';
import { SendTest } from '../sending/SendTest.tsx';
import { AudienceCount } from './AudienceCount.tsx';
import { broadcastDrafts, changeOf, type Draft, isSameDraft, lacksOf } from './draft.ts';
import { VARIABLES } from './broadcast-variables.ts';
import { LateInput } from './LateInput.tsx';
import { BRAND, type Opened, readInState } from './read-for-editing.ts';

const AudienceFields = lazyPart(
  () => import('./AudienceFields.tsx').then((file) => file.AudienceFields),
  <Skeleton height={212} radius="md" />,
);
const CorrectedPeople = lazyPart(
  () => import('./CorrectedPeople.tsx').then((file) => file.CorrectedPeople),
  <Skeleton height={40} radius="md" />,
);
const OptionsFields = lazyPart(
  () => import('./OptionsFields.tsx').then((file) => file.OptionsFields),
  <Skeleton height={480} radius="md" />,
);
const Checks = lazyPart(() => import('./Checks.tsx').then((file) => file.Checks));
const BodyChoice = lazyPart(
  () => import('./BodyChoice.tsx').then((file) => file.BodyChoice),
  <Skeleton height={72} radius="md" />,
);
const Conflict = lazyPart(() => import('./Conflict.tsx').then((file) => file.Conflict));
const PreviewPanel = lazyPart(() => import('../results/PreviewPanel.tsx').then((file) => file.PreviewPanel));

async function save(id: string, draft: Draft, over: string): Promise<string> {
  const { response } = await updateBroadcast({
    path: { id },
    headers: { 'If-Match': over },
    body: changeOf(draft),
    throwOnError: true,
  });
  return response.headers.get('etag') ?? '';
}

/** Name, sender, text and audience, saved while they are written. */
export function EditBroadcast({ opened, crumbs }: { opened: Opened; crumbs: readonly Crumb[] }) {
  const [{ view }, setUrl] = useUrlState(['view']);
  const { workspace } = useSession();
  const { broadcast } = opened;
  const { id } = broadcast;
  const writing = useWriting<Draft>({
    id,
    opened: opened.draft,
    etag: opened.etag,
    store: broadcastDrafts,
    isSame: isSameDraft,
    save: (draft, over) => save(id, draft, over),
    read: () => readInState(id, broadcast.status),
  });
  const { draft, saved: version, state, isSaved, change } = writing;
  const roleReason = useWhyNot(broadcast.status === 'scheduled' ? 'broadcasts:send' : 'broadcasts:write');
  const { trouble: held, settle } = writing;
  const readOnly = roleReason !== undefined;
  const lacks = lacksOf(draft);
  const zone = broadcast.timezone ?? workspace?.timezone ?? 'UTC';
  return (
    <>
      <PageHeader
        title={draft.name || 'Untitled broadcast'}
        crumbs={crumbs}
        badge={
          <StatusBadge tone={MAILING_STATES[broadcast.status].tone}>
            {MAILING_STATES[broadcast.status].label}
          </StatusBadge>
        }
        actions={
          <>
            <CurlButton call={{ method: 'GET', path: `/v1/broadcasts/${id}` }} />
            <ActionButton variant="default" href={pb.broadcast(id)}>
              Overview
            </ActionButton>
            <SendTest id={id} held={held} settle={settle} />
            <ScheduleBroadcast
              id={id}
              zone={zone}
              isLocal={broadcast.recipient_timezone}
              held={held ?? lacks[0]}
              settle={settle}
              label={broadcast.status === 'scheduled' ? 'Reschedule' : 'Schedule'}
            />
            <SendBroadcast
              id={id}
              title={draft.name}
              zone={zone}
              held={held ?? lacks[0]}
              settle={settle}
              version={version}
            />
          </>
        }
      />
      <UnsavedGuard when={!isSaved} what="Your last words are not saved yet. They are kept in this browser." />
      <WritingBar noun="broadcast" view={view} onView={(next) => setUrl({ view: next })} state={state} />
      {roleReason !== undefined && <Notice tone="info">{roleReason}</Notice>}
      {writing.givenUp !== undefined && state.kind !== 'conflict' && (
        <GivenUp
          title={writing.givenUp.name}
          html={writing.givenUp.html}
          disabled={readOnly}
          onTake={writing.takeGivenUp}
          onPutAway={writing.putAway}
        />
      )}
      {state.kind === 'conflict' && (
        <Conflict id={id} mine={draft} onMine={writing.keepMine} onTheirs={writing.takeTheirs} />
      )}
      <Desk
        hidden={view === 'preview'}
        beside={
          <Section title="Audience" plain>
            {broadcast.corrects === null ? (
              <AudienceFields
                audience={draft.audience}
                readOnly={readOnly}
                onChange={(audience) => change({ audience })}
              />
            ) : (
              <CorrectedPeople corrects={broadcast.corrects} />
            )}
            <AudienceCount id={id} version={version} audience={draft.audience} lacks={lacks} />
            {lacks.length === 0 && <Checks id={id} version={version} />}
          </Section>
        }
        below={
          draft.options !== undefined && (
            <Section title="Options" plain>
              <OptionsFields
                id={id}
                options={draft.options}
                readOnly={readOnly}
                onChange={(options) => change({ options })}
              />
            </Section>
          )
        }
      >
        <LateInput
          label="Name"
          description="For you; no recipient sees it."
          value={draft.name}
          maxLength={200}
          readOnly={readOnly}
          isNeeded
          onChange={(name) => change({ name })}
        />
        <LateInput
          label="From"
          description="One address at a verified domain, with a name if you like."
          placeholder="Acme <hello@example.com>"
          value={draft.from}
          maxLength={998}
          readOnly={readOnly}
          onChange={(from) => change({ from })}
        />
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
        <BodyChoice
          templateId={draft.templateId}
          readOnly={readOnly}
          onChange={(templateId) => change({ templateId })}
        />
        {draft.templateId === null && (
          <IssueEditor
            key={writing.opening}
            value={{ html: draft.html, editor: draft.editor }}
            onChange={({ html, editor }) => change({ html, editor })}
            pictures={pictureStore}
            variables={VARIABLES}
            brand={BRAND}
            readOnly={readOnly}
            label="Body of the broadcast"
          />
        )}
      </Desk>
      {view === 'preview' &&
        (isSaved ? <PreviewPanel id={id} /> : <Notice tone="quiet">{held ?? 'The text is being saved.'}</Notice>)}
    </>
  );
}
