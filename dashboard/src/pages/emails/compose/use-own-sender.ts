import { useQuery } from '@tanstack/react-query';
import { listDomainsOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import { useSession } from '../../../api/session.ts';
import { SANDBOX_DOMAIN } from '../../../lib/mail/sandbox-domain.ts';

/** An address at the newest domain of the workspace that may send; undefined where there is none. */
export function useOwnSender(): string | undefined {
  const { workspace } = useSession();
  const { data } = useQuery({ ...listDomainsOptions(), enabled: workspace?.edition === 'cloud' });
  const own = data?.data.find(({ domain, sending_enabled: isOn }) => isOn && domain !== SANDBOX_DOMAIN);
  return own && `hello@${own.domain}`;
}
