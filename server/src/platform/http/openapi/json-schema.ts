/** A JSON Schema as the document holds it: plain JSON. */
export interface JsonSchema {
  $ref?: string;
  title?: string;
  description?: string;
  type?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  additionalProperties?: JsonSchema | boolean;
  patternProperties?: Record<string, JsonSchema>;
  const?: unknown;
  enum?: unknown[];
  examples?: unknown[];
  /** A schema to show in place of this one, which checks less than it promises. */
  'x-shown-as'?: JsonSchema;
  [keyword: string]: unknown;
}

/** TypeBox keeps its own marks in properties that JSON leaves out. */
export const plain = (schema: object): JsonSchema => JSON.parse(JSON.stringify(schema)) as JsonSchema; // a schema is JSON

/** 'create_newsletter' and 'first-name' become 'CreateNewsletter' and 'FirstName'. */
export const pascalCase = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
