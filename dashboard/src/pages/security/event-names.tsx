/** The names in an entry of the security log. An entry stores the name of its record, or only the id. */
import { useQuery } from '@tanstack/react-query';
import { getApiKeyOptions, getMemberOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { SecurityEvent } from '../../api/generated/types.gen.ts';
import { useSession } from '../../api/session.ts';
import { actionWords } from '../../lib/action-words.ts';
import { nameOfTarget, pathOfTarget } from '../../lib/log/audit-target.ts';
import { pb } from '../../lib/paths.ts';

/** Names change rarely. A record that is gone stays gone. */
const ONCE = { staleTime: 60_000, retry: false };

export function ActorName({ actor }: { actor: SecurityEvent['actor'] }) {
  if (actor.type === 'api_key' && actor.id !== null) return <KeyLink id={actor.id} name={undefined} />;
  return actor.email ?? actionWords(actor.type);
}

export function TargetName({ event }: { event: SecurityEvent }) {
  const { target, actor } = event;
  if (target.type === null) return null;
  const name = nameOfTarget(event);
  if (target.type === 'api_key' && target.id !== null) return <KeyLink id={target.id} name={name} />;
  if (target.type === 'user' && target.id !== null) {
    return target.id === actor.id && actor.email !== null ? actor.email : <MemberName id={target.id} name={name} />;
  }
  const path = pathOfTarget(target);
  const words = name === undefined ? actionWords(target.type) : `${actionWords(target.type)} ${name}`;
  return path === undefined ? words : <a href={path}>{words}</a>;
}

function KeyLink({ id, name }: { id: string; name: string | undefined }) {
  const { data } = useQuery({ ...getApiKeyOptions({ path: { id } }), ...ONCE, enabled: name === undefined });
  const shown = name ?? data?.name;
  return <a href={pb.key(id)}>{shown === undefined ? 'API key' : `API key ${shown}`}</a>;
}

/** Of a person who has left, nothing but the kind is known. */
function MemberName({ id: userId, name }: { id: string; name: string | undefined }) {
  const { workspace } = useSession();
  const id = workspace?.id ?? '';
  const { data } = useQuery({ ...getMemberOptions({ path: { id, userId } }), ...ONCE, enabled: name === undefined });
  return name ?? data?.email ?? actionWords('user');
}
