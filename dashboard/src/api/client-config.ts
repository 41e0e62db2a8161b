import { readFailure } from '../lib/api-error.ts';
import { connection } from '../lib/connection.ts';
import { activeWorkspaceId } from './active-workspace.ts';
import type { CreateClientConfig } from './generated/client.gen.ts';
import type { Client } from './generated/client/types.gen.ts';
import { fetchOnce } from './repeat-safely.ts';

/** Read once by the generated client. Requests go to the origin of the page and carry its session cookie. */
export const createClientConfig: CreateClientConfig = (config) => ({
  ...config,
  baseUrl: '',
  credentials: 'same-origin',
  fetch: fetchOnce,
});

/** Adds what every request needs, and makes an `ApiError` of every failure. Called once, before the first request. */
export function setUpClient(client: Client): void {
  client.interceptors.request.use((request) => {
    const workspace = request.headers.get('X-Workspace-ID') ?? activeWorkspaceId() ?? '';
    if (workspace === '') request.headers.delete('X-Workspace-ID');
    else request.headers.set('X-Workspace-ID', workspace);
    // Another site's page cannot set a header of its own: the server takes it as a sign that the write is ours.
    if (request.method !== 'GET') request.headers.set('X-Posthorn-Csrf', '1');
    return request;
  });
  client.interceptors.response.use((response) => {
    connection.answered();
    return response;
  });
  client.interceptors.error.use((thrown, response: Response | undefined) => {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') return thrown;
    if (response === undefined) void connection.doubted();
    return readFailure(
      thrown,
      response && {
        status: response.status,
        requestId: response.headers.get('x-request-id') ?? undefined,
        retryAfter: response.headers.get('retry-after') ?? undefined,
      },
    );
  });
}
