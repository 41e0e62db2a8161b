import type { Rig } from './rig.ts';

/** An email that a provider took ten minutes ago, as the provider's notifications need to know it. */
export interface SentEmail {
  id: string;
  workspaceId: string;
  recipient: string;
  /** As the provider calls the message: `<name>-<number>`, like the recipient before the @. */
  messageId: string;
}

/** Emails of the home workspace in the state `sent`, numbered from 0, without a worker having sent them. */
export async function sentEmails(rig: Rig, name: string, count: number): Promise<SentEmail[]> {
  const rows = await rig.query(`
    with content as (
      insert into contents (workspace_id, id, from_address, from_domain, subject, html)
      select id, ph_uuidv7(), 'hello@posthorn.test', 'posthorn.test', 'Hello', '<p>Hello</p>'
        from workspaces where is_home
      returning workspace_id, id
    )
    insert into emails (workspace_id, id, content_id, recipient, recipient_typed, lane, turn, status, attempts, sent_at,
      handoff_at, provider_message_id)
    select workspace_id, ph_uuidv7(), id, '${name}-' || n || '@example.com', '${name}-' || n || '@example.com', 1, 0,
           'sent', 1, now() - interval '10 minutes', now() - interval '10 minutes', '${name}-' || n
      from content, generate_series(0, ${count - 1}) as n
    returning id, workspace_id as "workspaceId", recipient, provider_message_id as "messageId"`);
  return rows as unknown as SentEmail[]; // as the statement above names its columns
}
