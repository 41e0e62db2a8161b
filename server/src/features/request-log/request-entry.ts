import { newId } from '#platform/ids.ts';
import type { ServedRequest } from '#platform/http/ports.ts';
import { mentionsIn } from './mentions.ts';
import type { NewRequest } from './queries.ts';
import { redactedBody, redactedQuery } from './redact.ts';

const PATH_CHARS_MAX = 1_000;
const AGENT_CHARS_MAX = 300;
const NAME_CHARS_MAX = 200;
/** A longer answer is a list or a file, which nobody needs twice. */
const ANSWER_CHARS_MAX = 262_144;
const EMAILS_MAX = 100;

/** Whether this request is one for the log, apart from how many there are. */
export function isLogged({ route, request, status }: ServedRequest): boolean {
  if (typeof route.access !== 'object' || route.unlogged === true) return false;
  const { actor } = request;
  if (actor?.workspaceId === null || actor?.workspaceId === undefined) return false;
  // The dashboard asks again and again on behalf of people: its good reads say nothing.
  return actor.type === 'api_key' || request.method !== 'GET' || status >= 400;
}

/** A request with its answer, as it is stored. */
export function entryOf(served: ServedRequest, workspaceId: string, now: Date): NewRequest {
  const { route, request, status, ms } = served;
  const { actor } = request;
  const [path = '', ...rest] = request.url.split('?');
  const answered = answerOf(served);
  const body = redactedBody(request.body);
  // The answer of a good read is the record itself, which can be read again.
  const answer = request.method === 'GET' && status < 400 ? null : redactedBody(answered);
  const query = redactedQuery(rest.join('?'));
  const { emailIds, jobIds } = idsIn(answered);
  return {
    workspaceId,
    id: newId(),
    at: new Date(now.getTime() - ms),
    requestId: request.id,
    method: request.method,
    route: route.path.replace(/:(\w+)/g, '{$1}'),
    path: path.slice(0, PATH_CHARS_MAX),
    query,
    status,
    error: status >= 400 ? textOf(answered, 'name') : null,
    durationMs: ms,
    actorType: actor.type,
    actorId: actor.id,
    actorName: (actor.apiKey?.name ?? actor.email)?.slice(0, NAME_CHARS_MAX) ?? null,
    ip: request.ip,
    userAgent: request.headers['user-agent']?.slice(0, AGENT_CHARS_MAX) ?? null,
    requestBody: body,
    responseBody: answer,
    emailIds,
    jobIds,
    mentions: mentionsIn([body, answer, decoded(path), query === null ? null : decoded(query)]),
  };
}

/** The answer, when it is JSON of an ordinary size. */
function answerOf({ answer }: ServedRequest): unknown {
  if (typeof answer !== 'string' || answer.length > ANSWER_CHARS_MAX || !answer.startsWith('{')) return null;
  try {
    return JSON.parse(answer);
  } catch {
    return null;
  }
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

const textOf = (value: unknown, name: string): string | null => {
  const field = fieldOf(value, name);
  return typeof field === 'string' ? field : null;
};

const listOf = (value: unknown, name: string): unknown[] => {
  const field = fieldOf(value, name);
  return Array.isArray(field) ? field : [];
};

/** The emails and jobs that the request made: those of a send, or of each send of a batch. */
function idsIn(answer: unknown): { emailIds: string[]; jobIds: string[] } {
  const sends = [answer, ...listOf(answer, 'results')];
  const idOf = (value: unknown, name: string): string[] => {
    const id = textOf(value, name);
    return id === null ? [] : [id];
  };
  const jobIds = sends.flatMap((send) => idOf(send, 'jobId'));
  if (jobIds.length === 0) return { emailIds: [], jobIds };
  const emailIds = sends.flatMap((send) => listOf(send, 'emails').flatMap((email) => idOf(email, 'id')));
  return { emailIds: emailIds.slice(0, EMAILS_MAX), jobIds: jobIds.slice(0, EMAILS_MAX) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
