import type { Db } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { RenderedTemplate } from './render-template.ts';

/** A rendered version for one reader to look at. */
export interface TemplateTest {
  templateId: string;
  version: number;
  from: string | null;
  replyTo: readonly string[];
  rendered: RenderedTemplate;
  to: string;
}

/** The dependencies of this feature, given by main. */
export interface TemplatePorts {
  sendTest(ctx: Ctx, test: TemplateTest): Promise<{ to: string; emailId: string }>;
  /** Scheduled emails that wait and are made of a template, at most a hundred. */
  scheduledOfTemplate(db: Db, workspaceId: string, templateId: string): Promise<{ id: string; scheduledFor: Date }[]>;
  /** Enabled automations that send a template, at most a hundred. */
  automationsOfTemplate(db: Db, workspaceId: string, templateId: string): Promise<{ id: string; name: string }[]>;
}
