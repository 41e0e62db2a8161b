import { useQuery } from '@tanstack/react-query';
import { getEmailOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import { pb } from '../../lib/paths.ts';
import { counted } from '../../lib/number.ts';
import { Mono } from '../../ui/Mono.tsx';
import { Section } from '../../ui/Section.tsx';
import classes from './requests.module.css';

const IN_WORDS = 5;

/** The emails of a request. The first few with their subject and state, which are read one by one. */
export function MadeEmails({ ids }: { ids: readonly string[] }) {
  return (
    <Section title={`It made ${ids.length >= 100 ? 'at least ' : ''}${counted(ids.length, 'email')}`}>
      <ul className={classes['emails']}>
        {ids.slice(0, IN_WORDS).map((id) => (
          <EmailInWords key={id} id={id} />
        ))}
        {ids.slice(IN_WORDS).map((id) => (
          <li key={id}>
            <a href={pb.email(id)}>
              <Mono>{id}</Mono>
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function EmailInWords({ id }: { id: string }) {
  const { data } = useQuery(getEmailOptions({ path: { id } }));
  return (
    <li>
      <a href={pb.email(id)}>{data?.subject ?? <Mono>{id}</Mono>}</a>
      {data && (
        <span className={classes['to']}>
          to {data.to.join(', ')} · {data.status}
        </span>
      )}
    </li>
  );
}
