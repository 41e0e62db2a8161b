import { sql } from 'kysely';
import type { TestApp } from '../../../../../../test/harness/app.ts';
import { aNewsletter } from '../../../../../../test/harness/builders.ts';
import { newId } from '#platform/ids.ts';

export interface Opened {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

export interface GivenIssue {
  slug: string;
  subject?: string;
  preheader?: string | null;
  htmlBody?: string;
  status?: string;
  sentAt?: string | null;
}

/** Opens pages, and makes the newsletters and issues that they show. `app`: asked for when it has started. */
export function pagesOf(app: () => TestApp) {
  return {
    /** Pages stand in no OpenAPI document that their answers could be checked against. */
    async open(
      url: string,
      headers: Record<string, string> = {},
      method: 'GET' | 'HEAD' | 'POST' | 'DELETE' = 'GET',
    ): Promise<Opened> {
      const answered = await app().app.inject({ method, url, headers });
      return { status: answered.statusCode, headers: answered.headers, text: answered.body };
    },

    async newsletter(columns: Record<string, unknown> = {}): Promise<{ id: string; slug: string }> {
      const { db, workspaceId } = app();
      const made = await aNewsletter(db, workspaceId);
      for (const [column, value] of Object.entries(columns))
        await sql`update newsletters set ${sql.ref(column)} = ${value}
          where workspace_id = ${workspaceId} and id = ${made.id}`.execute(db);
      return made;
    },

    async issue(newsletterId: string, given: GivenIssue): Promise<string> {
      const { db, workspaceId } = app();
      const id = newId();
      await sql`insert into issues (workspace_id, id, newsletter_id, slug, subject, preheader, html_body, status, sent_at)
        values (${workspaceId}, ${id}, ${newsletterId}, ${given.slug}, ${given.subject ?? 'A subject'},
          ${given.preheader ?? null}, ${given.htmlBody ?? '<p>Hello</p>'}, ${given.status ?? 'sent'},
          ${given.sentAt === undefined ? '2026-11-15T07:00:00Z' : given.sentAt})`.execute(db);
      return id;
    },
  };
}
