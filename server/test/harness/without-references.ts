import type { OpenApiDocument } from '#platform/http/openapi/openapi.ts';

/** The document with the target in place of every `$ref`, for tests that walk through it. It has no circles. */
export function withoutReferences(document: OpenApiDocument): OpenApiDocument {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    if ('$ref' in value && typeof value.$ref === 'string') return resolve(at(document, value.$ref));
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner)]));
  };
  return resolve(document) as OpenApiDocument; // the same document, longer
}

function at(document: object, ref: string): unknown {
  const parts = ref.replace(/^#\//, '').split('/');
  let value: unknown = document;
  for (const part of parts) value = typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined;
  if (value === undefined) throw new Error(`${ref} leads nowhere`);
  return value;
}
