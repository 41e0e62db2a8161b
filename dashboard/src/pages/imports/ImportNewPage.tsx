import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { getNewsletterOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import { importSubscribers } from '../../api/generated/sdk.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { pb } from '../../lib/paths.ts';
import { ImportWizard } from './ImportWizard.tsx';

/** Subscribers of a newsletter, from a file. */
export function ImportNewPage() {
  const { id = '' } = useParams({ strict: false });
  const { data: newsletter } = useQuery(getNewsletterOptions({ path: { id } }));
  return (
    <ImportWizard
      title="Import subscribers"
      crumbs={[
        { label: 'Newsletters', href: pb.newsletters() },
        { label: newsletter?.name ?? 'Newsletter', href: pb.newsletterTab(id, 'subscribers') },
      ]}
      path={`/v1/newsletters/${id}/subscribers/import`}
      kind="newsletter"
      doubleOptIn={newsletter?.double_opt_in ?? true}
      upload={(body, headers, query) => importSubscribers({ path: { id }, body, headers, query, throwOnError: true })}
      whyNot={useWhyNot('subscribers:write')}
    />
  );
}
