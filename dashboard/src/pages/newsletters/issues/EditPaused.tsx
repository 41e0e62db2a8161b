import { useRouter } from '@tanstack/react-router';
import { updateIssue } from '../../../api/generated/sdk.gen.ts';
import type { Issue, Newsletter } from '../../../api/generated/types.gen.ts';
import { pictureStore } from '../../../api/picture-store.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { shownSubject } from '../../../lib/blocks/shown-subject.ts';
import { pb } from '../../../lib/paths.ts';
import type { Crumb } from '../../../ui/PageHeader.tsx';
import { toastDone } from '../../../ui/toasts.tsx';
import { NextVersion, type PausedTexts } from '../../../ui/writing/NextVersion.tsx';
import { DEFAULT_ACCENT, UNTITLED } from '../defaults.ts';
import { draftOf } from './draft.ts';
import { VARIABLES } from './issue-variables.ts';
import { ISSUE_CHANGES, type IssueIds } from './SendIssue.tsx';

interface Props {
  path: IssueIds;
  issue: Issue;
  etag: string;
  newsletter: Newsletter;
  crumbs: readonly Crumb[];
}

/** The next version of an issue that is paused. */
export function EditPaused({ path, issue, etag, newsletter, crumbs }: Props) {
  const router = useRouter();
  const overviewHref = pb.issue(path.id, path.issueId);
  const write = useWrite({
    call: ({ subject, preheader, html, editor }: PausedTexts) =>
      updateIssue({
        path,
        headers: { 'If-Match': etag },
        // JSON, by its own type
        body: { subject, preheader: preheader === '' ? null : preheader, html_body: html, editor: editor as never },
        throwOnError: true,
      }),
    changes: [...ISSUE_CHANGES, 'previewIssue', 'listIssueLinks'],
    onDone: () => {
      toastDone('The next version is saved. Resume the issue to send it.');
      router.history.push(overviewHref);
    },
  });
  const { subject, preheader, html, editor } = draftOf(issue);
  return (
    <NextVersion
      noun="issue"
      title={shownSubject(issue.subject) || UNTITLED}
      crumbs={crumbs}
      overviewHref={overviewHref}
      opened={{ subject, preheader, html, editor: editor as never }} // the editor reads it with care
      waiting={issue.stats.waiting}
      roleReason={useWhyNot('issues:send')}
      problem={write.error ?? undefined}
      loading={write.isPending || write.isSuccess}
      onSave={write.mutate}
      pictures={pictureStore}
      variables={VARIABLES}
      brand={{ color: newsletter.accent_color ?? DEFAULT_ACCENT }}
    />
  );
}
