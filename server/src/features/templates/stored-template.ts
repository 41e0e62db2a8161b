/** A declared variable: what its author says of it besides what reading the template finds out. */
export interface DeclaredVariable {
  key: string;
  type: VariableType;
  required?: boolean | undefined;
  fallback: unknown;
}

/** A variable as a version asks for it. */
export interface TemplateVariable extends DeclaredVariable {
  required: boolean;
}

export const VARIABLE_TYPES = ['string', 'number', 'boolean', 'list', 'object'] as const;
export type VariableType = (typeof VARIABLE_TYPES)[number];

export interface Sample {
  name: string;
  variables: Record<string, unknown>;
}

/** The fields that belong to a version. */
export interface TemplateContent {
  subject: string | null;
  preheader: string | null;
  html: string | null;
  text: string | null;
  from: string | null;
  replyTo: string[];
  /** The alias or the id of the template around it. */
  layout: string | null;
  declared: DeclaredVariable[];
  samples: Sample[];
}

/** The parts of another template that may stand in a version. */
export interface Source {
  html: string | null;
  text: string | null;
}

/** Copies of what a version is made of besides itself. */
export interface Pinned {
  /** Innermost first. */
  layouts: Source[];
  partials: Record<string, Source>;
}

/** The parts of a version that rendering needs. */
export interface Renderable extends Omit<TemplateContent, 'declared' | 'samples' | 'layout'> {
  variables: TemplateVariable[];
  pinned: Pinned;
}

export interface TemplateVersion extends TemplateContent, Renderable {
  templateId: string;
  version: number;
  /** The names in it that stand for other templates, and their ids. */
  names: string[];
  uses: string[];
  publishedAt: Date | null;
  createdBy: string | null;
  createdAt: Date;
}

export interface Template {
  workspaceId: string;
  id: string;
  name: string;
  alias: string | null;
  version: number;
  publishedVersion: number | null;
  createdAt: Date;
  updatedAt: Date;
}

export const TEMPLATES_MAX = 1_000;
/** Drafts this far behind the newest version end with the next one. */
export const DRAFTS_KEPT = 100;

export const summaryView = (template: Template) => ({
  id: template.id,
  name: template.name,
  alias: template.alias,
  version: template.version,
  published_version: template.publishedVersion,
  status: template.publishedVersion === null ? ('draft' as const) : ('published' as const),
  created_at: template.createdAt,
  updated_at: template.updatedAt,
});

/** A template with the fields of one of its versions. */
export function templateView(template: Template, version: TemplateVersion) {
  const { created_at, updated_at, ...summary } = summaryView(template);
  const declared = new Set(version.declared.map(({ key }) => key));
  return {
    ...summary,
    version: version.version,
    subject: version.subject,
    preheader: version.preheader,
    html: version.html,
    text: version.text,
    from: version.from,
    reply_to: version.replyTo,
    layout: version.layout,
    variables: version.variables.map(({ key, type, required, fallback }) => ({
      key,
      type,
      required,
      fallback: fallback ?? null,
      declared: declared.has(key),
    })),
    samples: version.samples,
    created_at,
    updated_at,
  };
}

export const versionStatus = (
  template: Template,
  { version, publishedAt }: Pick<TemplateVersion, 'version' | 'publishedAt'>,
) =>
  version === template.publishedVersion
    ? ('published' as const)
    : publishedAt === null
      ? ('draft' as const)
      : ('superseded' as const);
