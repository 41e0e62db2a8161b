import { MULTIPART_TYPE, mediaTypesOf } from '../body/body-definition.ts';
import { formSamples } from './form-samples.ts';
import { goSample } from './go-samples.ts';
import { type SampledRequest, textOfBody } from './sampled-request.ts';
import { isForUsers, type Route, mediaTypeOf } from '../route.ts';

export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

export interface SampleRequest {
  route: Pick<Route, 'method' | 'access' | 'body' | 'example' | 'response'>;
  /** With real values in place of parameters. */
  path: string;
  baseUrl: string;
}

/** The example of an operation as commands and programs to paste. */
export function codeSamples(request: SampleRequest): CodeSample[] {
  const sampled = sampledFrom(request);
  if (sampled.contentType === MULTIPART_TYPE) return formSamples(sampled.url, Object(sampled.body));
  return [
    { lang: 'Shell', label: 'curl', source: curl(sampled) },
    { lang: 'JavaScript', label: 'Node.js', source: node(sampled) },
    { lang: 'Python', label: 'Python', source: python(sampled) },
    { lang: 'Go', label: 'Go', source: goSample(sampled) },
  ];
}

function sampledFrom({ route, path, baseUrl }: SampleRequest): SampledRequest {
  const query = new URLSearchParams(route.example?.query).toString();
  const { body, file } = route.example ?? {};
  const hasBody = body !== undefined || file !== undefined;
  return {
    method: route.method,
    url: `${baseUrl}${path}${query === '' ? '' : `?${query}`}`,
    credential: route.access === 'public' ? undefined : isForUsers(route.access) ? 'POSTHORN_TOKEN' : 'POSTHORN_KEY',
    contentType: hasBody ? mediaTypesOf(route.body)[0] : undefined,
    body,
    file,
    isJson: mediaTypeOf(route.response) === undefined,
  };
}

function curl({ method, url, credential, contentType, body, file }: SampledRequest): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const isPlain = method === 'GET' || (method === 'POST' && (body !== undefined || file !== undefined));
  return [
    `curl ${isPlain ? '' : `-X ${method} `}${/[?&]/.test(url) ? quoted(url) : url}`,
    ...(credential === undefined ? [] : [`-H "Authorization: Bearer $${credential}"`]),
    ...(contentType === undefined ? [] : [`-H "Content-Type: ${contentType}"`]),
    ...(file === undefined ? [] : [`--data-binary @${file}`]),
    ...(body === undefined ? [] : [`${typeof body === 'string' ? '--data-binary' : '-d'} ${quoted(textOfBody(body))}`]),
  ].join(' \\\n  ');
}

function node({ method, url, credential, contentType, body, file, isJson }: SampledRequest): string {
  const headers = [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the sample is a program, and holds a template of its own
    ...(credential === undefined ? [] : ['    Authorization: `Bearer ${process.env.' + credential + '}`,']),
    ...(contentType === undefined ? [] : [`    'Content-Type': '${contentType}',`]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(body === undefined ? [] : [`  body: ${nodeBody(body)},`]),
    ...(file === undefined ? [] : [`  body: await readFile('${file}'),`]),
  ];
  const call = options.length === 0 ? `fetch('${url}')` : [`fetch('${url}', {`, ...options, '})'].join('\n');
  return [
    ...(file === undefined ? [] : ["import { readFile } from 'node:fs/promises';", '']),
    `const response = await ${call};`,
    `console.log(response.status, await response.${isJson ? 'json' : 'text'}());`,
  ].join('\n');
}

const nodeBody = (body: unknown): string =>
  typeof body === 'string' ? JSON.stringify(body) : `JSON.stringify(${indented(textOfBody(body), '  ')})`;

function python({ method, url, credential, contentType, body, file, isJson }: SampledRequest): string {
  const isText = typeof body === 'string' || file !== undefined;
  const headers = [
    ...(credential === undefined ? [] : [`"Authorization": f"Bearer {os.environ['${credential}']}"`]),
    // `json=` sets the type by itself.
    ...(contentType === undefined || !isText ? [] : [`"Content-Type": "${contentType}"`]),
  ];
  return [
    ...(credential === undefined ? [] : ['import os', '']),
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    "${url}",`,
    ...(headers.length === 0 ? [] : [`    headers={${headers.join(', ')}},`]),
    ...(body === undefined ? [] : [`    ${pythonBody(body)},`]),
    ...(file === undefined ? [] : [`    data=open("${file}", "rb"),`]),
    ')',
    `print(response.status_code, response.${isJson ? 'json()' : 'text'})`,
  ].join('\n');
}

const pythonBody = (body: unknown): string =>
  typeof body === 'string' ? `data=${JSON.stringify(body)}.encode()` : `json=${indented(pythonOf(body), '    ')}`;

const indented = (text: string, indent: string): string => text.replaceAll('\n', `\n${indent}`);

/** JSON as a Python literal: its names of true, false and null are others. */
const pythonOf = (value: unknown): string =>
  JSON.stringify(value, null, 4).replace(
    /"(?:[^"\\]|\\.)*"|\btrue\b|\bfalse\b|\bnull\b/g,
    (found) => ({ true: 'True', false: 'False', null: 'None' })[found] ?? found,
  );
