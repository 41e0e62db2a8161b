import { useQuery } from '@tanstack/react-query';
import { useParams, useRouter } from '@tanstack/react-router';
import { getTemplateOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import { duplicateTemplate } from '../../api/generated/sdk.gen.ts';
import type { Template } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { withQuery } from '../../lib/curl.ts';
import { pb } from '../../lib/paths.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { lazyTab } from '../../ui/record/lazy-tab.tsx';
import { RecordPage } from '../../ui/record/RecordPage.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { toastError } from '../../ui/toasts.tsx';
import { DeleteTemplate } from './DeleteTemplate.tsx';
import { RenderedPreview } from './RenderedPreview.tsx';
import { SendTemplateTest } from './SendTemplateTest.tsx';
import { stateOf, TEMPLATE_CHANGES, versionWords } from './template-state.ts';

const UseItTab = lazyTab('use', () => import('./UseItTab.tsx').then((file) => file.UseItTab));
const VersionsTab = lazyTab('versions', () => import('./versions/VersionsTab.tsx').then((file) => file.VersionsTab));
const UsedByTab = lazyTab('used-by', () => import('./UsedByTab.tsx').then((file) => file.UsedByTab));

/** The state of one tab: it leaves the address with the tab. */
const OF_TABS = ['tab', 'after', 'version', 'before', 'sample', 'width', 'scheme', 'pictures'] as const;

/** A template: how it looks, the code that sends it, its versions, and the templates that are made of it. */
export function TemplatePage() {
  const { id = '' } = useParams({ strict: false });
  const [{ tab }, setUrl] = useUrlState(OF_TABS);
  const { data: template, error, refetch } = useQuery(getTemplateOptions({ path: { id } }));
  const state = template && stateOf(template);
  const openTab = (next: string | undefined) => {
    const cleared = Object.fromEntries(OF_TABS.map((name) => [name, undefined]));
    setUrl({ ...cleared, tab: next }, { push: true });
  };
  return (
    <RecordPage
      title={template?.name}
      description={template && versionWords(template)}
      crumbs={[{ label: 'Templates', href: pb.templates() }]}
      badge={state && <StatusBadge tone={state.tone}>{state.words}</StatusBadge>}
      actions={template && <Actions template={template} />}
      tabs={template === undefined ? [] : tabsOf(template)}
      tab={tab}
      onTab={openTab}
      error={error}
      onRetry={() => void refetch()}
    />
  );
}

const tabsOf = (template: Template) => [
  {
    id: 'preview',
    label: 'Preview',
    content: () => <RenderedPreview id={template.id} version={template.version} samples={template.samples} />,
  },
  { id: 'use', label: 'Use it', content: () => <UseItTab template={template} /> },
  { id: 'versions', label: 'Versions', content: () => <VersionsTab template={template} /> },
  { id: 'used-by', label: 'Used by', content: () => <UsedByTab id={template.id} /> },
];

function Actions({ template }: { template: Template }) {
  const { id } = template;
  const router = useRouter();
  const whyNot = useWhyNot('templates:write');
  const duplicate = useWrite({
    call: () => duplicateTemplate({ path: { id }, body: {}, throwOnError: true }),
    changes: TEMPLATE_CHANGES,
    onDone: (made) => router.history.push(pb.templateEdit(made.id)),
    onError: toastError,
  });
  return (
    <>
      <CurlButton call={{ method: 'GET', path: `/v1/templates/${template.alias ?? id}` }} />
      <ActionButton variant="subtle" href={withQuery(pb.emails(), { template_id: id })}>
        Its emails
      </ActionButton>
      <DeleteTemplate template={template} />
      <ActionButton
        variant="default"
        loading={duplicate.isPending}
        disabledReason={whyNot}
        onClick={() => duplicate.mutate(undefined)}
      >
        Duplicate
      </ActionButton>
      <SendTemplateTest template={template} />
      <ActionButton href={pb.templateEdit(id)}>{whyNot === undefined ? 'Edit' : 'Look at the source'}</ActionButton>
    </>
  );
}
