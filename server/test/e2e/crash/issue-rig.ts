import assert from 'node:assert/strict';
import type { PosthornProcess } from '../../harness/posthorn-process.ts';
import type { CancelWitness, IssueAnswer, IssueEmail, IssueRecords } from './issue-records.ts';
import type { ReceivedRecord } from './records.ts';
import type { Rig } from './rig.ts';

/** `POSTHORN_PROPERTY_RUNS=20 node test/run.ts …` runs the large ones, and so many of them. */
export const IS_LARGE = process.env['POSTHORN_PROPERTY_RUNS'] !== undefined;
export const RUNS = Number(process.env['POSTHORN_PROPERTY_RUNS'] ?? 1);

/** The seeds of a test, one for each run; `POSTHORN_PROPERTY_SEED=…` begins with another one. */
export const seedsFrom = (usual: number, count = RUNS): number[] =>
  Array.from({ length: count }, (_, n) => Number(process.env['POSTHORN_PROPERTY_SEED'] ?? usual) + n);

/**
 * What a killed worker may leave without an outcome: what it had claimed, at most 100 at these rates, and what it had
 * handed over and not yet written down. Much more than that were given up for another reason.
 */
export const UNCONFIRMED_PER_KILL = 300;

const POLL_MS = 40;

/** For what happens at a random moment: the moment is what is tried, and nothing is waited for. */
export const pauseFor = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export interface List {
  newsletterId: string;
  /** In the order in which the database sorts them. */
  people: string[];
}

/**
 * As a good client asks: again, when the answer is that the database cannot be reached just now, or when the connection
 * had been closed as unused just then (which is not the same as a connection that ends while the answer is waited for,
 * but a test whose processes with the API are never killed may ask again after either).
 */
export async function untilAnswered<Answer extends { status: number }>(once: () => Promise<Answer>): Promise<Answer> {
  for (const until = performance.now() + 60_000; ; ) {
    const answer = await once().catch((error: unknown) => {
      if (!(error instanceof TypeError && error.message === 'fetch failed')) throw error;
    });
    if (answer !== undefined && answer.status !== 503) return answer;
    if (performance.now() > until) throw new Error(`no answer for a minute: ${answer?.status}`);
    await pauseFor(POLL_MS);
  }
}

export const ask = (api: PosthornProcess, path: string, body?: object): ReturnType<PosthornProcess['fetch']> =>
  untilAnswered(() => api.fetch(path, body === undefined ? { method: 'POST' } : { body }));

/** A newsletter with so many active subscribers, `<name>-<number>@example.com`, written without a sign-up of each. */
export async function aList(rig: Rig, api: PosthornProcess, name: string, count: number): Promise<List> {
  const made = await ask(api, '/v1/newsletters', { name, slug: name, from_email: 'news@posthorn.test' });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const newsletterId = idOf(made.body);
  await rig.query(`
    insert into subscribers (workspace_id, id, newsletter_id, email, status, confirmed_at)
    select w.id, ph_uuidv7(), '${newsletterId}', '${name}-' || n || '@example.com', 'active', now()
      from workspaces w, generate_series(0, ${count - 1}) as n where w.is_home`);
  const rows = await rig.query(`select email from subscribers where newsletter_id = '${newsletterId}' order by email`);
  assert.equal(rows.length, count);
  return { newsletterId, people: rows.map(({ email }) => String(email)) };
}

/** A draft; returns where it is. */
export async function anIssue(api: PosthornProcess, { newsletterId }: List): Promise<string> {
  const path = `/v1/newsletters/${newsletterId}/issues`;
  const made = await ask(api, path, { subject: 'News of October', html_body: '<h1>Hello</h1>' });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return `${path}/${idOf(made.body)}`;
}

export async function send(api: PosthornProcess, issuePath: string): Promise<void> {
  const sent = await ask(api, `${issuePath}/send`);
  assert.equal(sent.status, 202, JSON.stringify(sent.body));
}

/** The answer of a cancel; undefined: the issue had been sent before. */
export async function cancel(api: PosthornProcess, issuePath: string): Promise<number | undefined> {
  const { status, body } = await ask(api, `${issuePath}/cancel`);
  if (status === 409 && (await read(api, issuePath))?.status === 'sent') return undefined;
  assert.equal(status, 200, JSON.stringify(body));
  return (body as { alreadyQueued: number }).alreadyQueued; // what the reference says it is
}

/** undefined: there was no good answer. */
export async function read(api: PosthornProcess, issuePath: string): Promise<IssueAnswer | undefined> {
  const answer = await api.fetch(issuePath).catch(() => undefined);
  return answer?.status === 200 ? (answer.body as IssueAnswer) : undefined; // what the reference says it is
}

export interface Watch {
  readonly answers: readonly IssueAnswer[];
  /** The longest time in which nothing moved between two good answers, while there was something to do. */
  readonly standstillMs: number;
  /** Resolves when an answer is as wanted. */
  until(isThere: (answer: IssueAnswer) => boolean, timeoutMs?: number): Promise<IssueAnswer>;
  stop(): Promise<void>;
}

/** Reads an issue again and again and keeps every answer. */
export function watch(api: PosthornProcess, issuePath: string): Watch {
  const answers: IssueAnswer[] = [];
  let standstillMs = 0;
  let movedAt = performance.now();
  let going = true;
  const follow = async (): Promise<void> => {
    // A test that failed may not come to stop it.
    while (going && api.child.exitCode === null && api.child.signalCode === null) {
      const answer = await read(api, issuePath);
      if (answer !== undefined) {
        const before = answers.at(-1);
        if (before === undefined || isMoved(before, answer)) movedAt = performance.now();
        else if (answer.status === 'sending') standstillMs = Math.max(standstillMs, performance.now() - movedAt);
        answers.push(answer);
      }
      await pauseFor(POLL_MS);
    }
  };
  const following = follow();
  return {
    answers,
    get standstillMs() {
      return standstillMs;
    },
    async until(isThere, timeoutMs = 60_000) {
      const until = performance.now() + timeoutMs;
      for (;;) {
        const last = answers.at(-1);
        if (last !== undefined && isThere(last)) return last;
        if (performance.now() > until) throw new Error(`the issue stands at ${JSON.stringify(last)}`);
        await pauseFor(POLL_MS / 2);
      }
    },
    async stop() {
      going = false;
      await following;
    },
  };
}

const isMoved = ({ stats: a }: IssueAnswer, { stats: b }: IssueAnswer): boolean =>
  a.total !== b.total || a.waiting !== b.waiting || a.queued !== b.queued || a.sent !== b.sent || a.failed !== b.failed;

/** The accounts of an issue when all is quiet; `received` picks what is its own by the emails. */
export async function recordsOf(
  rig: Rig,
  api: PosthornProcess,
  { list, issuePath, answers = [] }: { list: List; issuePath: string; answers?: readonly IssueAnswer[] },
): Promise<IssueRecords> {
  const rows = await rig.query(`
    select e.id, e.recipient, e.status, e.error, e.handoff_at as "handoffAt" from emails e
      join send_requests r on r.workspace_id = e.workspace_id and r.id = e.send_id
     where r.issue_id = '${issuePath.slice(-36)}' order by e.id`);
  const emails = rows as unknown as IssueEmail[]; // as the statement above names its columns
  const ids = new Set(emails.map((email) => email.id));
  const last = await read(api, issuePath);
  assert.ok(last, 'the issue cannot be read');
  return {
    people: list.people,
    received: received(rig).filter((one) => ids.has(one.emailId)),
    emails,
    answers: [...answers, last],
  };
}

/** Messages at the mail server that are of no email at all: no account of one issue would show them. */
export async function strangersOf(rig: Rig): Promise<string[]> {
  const known = new Set((await rig.query('select id from emails')).map(({ id }) => String(id)));
  return received(rig)
    .filter((one) => !known.has(one.emailId))
    .map((one) => one.recipient);
}

/** The mail server's own log. */
const received = (rig: Rig): ReceivedRecord[] =>
  rig.sink.messages.map((message) => {
    const messageId = message.header('message-id') ?? '';
    return {
      emailId: /^<([^@]+)@/.exec(messageId)?.[1] ?? '',
      messageId,
      recipient: message.to.join(','),
      at: message.at,
    };
  });

/**
 * Makes the database write down what a cancel finds: in its own transaction, before it counts (the send is held by
 * then) and after it (the issue is marked). The product knows nothing of it.
 */
export async function installCancelWitness(rig: Rig): Promise<void> {
  await rig.query(`
    create table cancel_witness (
      send_id uuid primary key, before uuid[] not null, at timestamptz not null, after_count integer
    );
    create function note_cancelled_send() returns trigger language plpgsql as $$
    begin
      insert into cancel_witness (send_id, before, at)
      select new.id, coalesce(array_agg(id), '{}'), clock_timestamp() from emails
       where workspace_id = new.workspace_id and send_id = new.id and status in ('queued', 'deferred', 'sending')
      on conflict do nothing;
      return new;
    end $$;
    create trigger note_cancelled_send before update of bulk_state on send_requests for each row
      when (new.bulk_state = 'cancelling' and old.bulk_state <> 'cancelling') execute function note_cancelled_send();
    create function note_cancelled_issue() returns trigger language plpgsql as $$
    begin
      update cancel_witness set after_count = (select count(*) from emails
        where workspace_id = new.workspace_id and send_id = new.send_id and status in ('queued', 'deferred', 'sending'))
       where send_id = new.send_id;
      return new;
    end $$;
    create trigger note_cancelled_issue before update of status on issues for each row
      when (new.status = 'cancelled' and old.status = 'sending') execute function note_cancelled_issue();`);
}

export async function witnessOf(rig: Rig, issuePath: string): Promise<CancelWitness | undefined> {
  const [row] = await rig.query(`
    select w.before, w.after_count as "afterCount", w.at from cancel_witness w
      join issues i on i.send_id = w.send_id where i.id = '${issuePath.slice(-36)}'`);
  return row as CancelWitness | undefined; // as the statement above names its columns
}

const idOf = (body: unknown): string => (body as { id: string }).id; // every record has one
