import { html, type Html } from '../../html/html.ts';
import type { OpenApiDocument } from '../openapi/openapi.ts';

/** The operations of the document as a list, for browsers without JavaScript. */
export function plainReference(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))];
  const sections = tags.map(
    (tag): Html => html`
      <h2>${tag}</h2>
      <dl>${operations.filter(({ operation }) => operation.tags.includes(tag)).map(entry)}</dl>`,
  );
  return html`<noscript>
    <h1>Posthorn API</h1>
    <p>This is every endpoint. The full description is in <a href="/openapi.json">openapi.json</a>, the errors are in
    <a href="/docs/errors">Errors</a>.</p>${sections}
  </noscript>`.text;
}

const entry = ({ path, method, operation }: { path: string; method: string; operation: Operation }): Html => html`
        <dt><code>${method} ${path}</code></dt>
        <dd>${textOf(operation['summary'])}. ${textOf(operation['description'])}</dd>`;

type Operation = OpenApiDocument['paths'][string][string];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
