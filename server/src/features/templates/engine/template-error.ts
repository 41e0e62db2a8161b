import { withThousands } from '#platform/english.ts';

/** The limits of a template's cost; over it, rendering ends with an error that names the limit. */
export const TEMPLATE_LIMITS = {
  cpuMs: 100,
  /**
   * Of one template on average, once it was rendered often enough to tell: an issue is rendered twelve times a second,
   * and all other mail waits meanwhile. 177 KB with 2,000 tags take 6 (21 November 2026).
   */
  meanCpuMs: 25,
  /** Over all loops of one rendering, nested ones multiplied. */
  loopItems: 10_000,
  outputChars: 2 * 1024 * 1024,
  sourceChars: 2 * 1024 * 1024,
  /** Outputs and tags of one source. */
  tags: 20_000,
  /** Characters and list items that filters may make. */
  memory: 8 * 1024 * 1024,
} as const;

export type TemplateLimit = keyof typeof TEMPLATE_LIMITS;

/**
 * A template that cannot be read or rendered. `message` is a sentence for its author, with the line where it is
 * known.
 */
export class TemplateError extends Error {
  /** Counted from 1; null when no line is at fault. */
  readonly line: number | null;
  /** The limit that was exceeded; null for any other mistake. */
  readonly limit: TemplateLimit | null;

  constructor(sentence: string, line: number | null, limit: TemplateLimit | null = null) {
    super(line === null ? sentence : `Line ${line}: ${sentence}`);
    this.line = line;
    this.limit = limit;
  }
}

const LIMIT_SENTENCES: Readonly<Record<TemplateLimit, string>> = {
  cpuMs: `Rendering takes longer than ${TEMPLATE_LIMITS.cpuMs} ms.`,
  meanCpuMs: `Rendering takes longer than ${TEMPLATE_LIMITS.meanCpuMs} ms on average.`,
  loopItems: `Its loops go through more than ${withThousands(TEMPLATE_LIMITS.loopItems)} items.`,
  outputChars: 'Its output is longer than 2 MB.',
  sourceChars: 'It is longer than 2 MB.',
  tags: `It has more than ${withThousands(TEMPLATE_LIMITS.tags)} tags.`,
  memory: 'Its filters make more than 8 MB of text.',
};

export const overLimit = (limit: TemplateLimit, line: number | null = null): TemplateError =>
  new TemplateError(LIMIT_SENTENCES[limit], line, limit);
