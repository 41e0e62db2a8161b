import { type SampledRequest, textOfBody } from './sampled-request.ts';

const STOP = ['if err != nil {', '\tlog.Fatal(err)', '}'];

/** The example as a program in Go, with its standard library alone. Formatted as gofmt does. */
export function goSample({ method, url, credential, contentType, body, file }: SampledRequest): string {
  const given =
    file !== undefined
      ? openFile('body', file)
      : body === undefined
        ? []
        : [`body := strings.NewReader(${literal(textOfBody(body))})`];
  const lines = [
    ...given,
    ...requestOf(method, url, given.length === 0 ? 'nil' : 'body'),
    ...(credential === undefined ? [] : [authorization(credential)]),
    ...(contentType === undefined ? [] : [`request.Header.Set("Content-Type", "${contentType}")`]),
    ...SEND,
  ];
  const packages = [
    ...(credential === undefined && file === undefined ? [] : ['os']),
    ...(body === undefined ? [] : ['strings']),
  ];
  return program(lines, packages);
}

/** The same for a form with a file in its field `file`. */
export function goFormSample(url: string, file: string, texts: readonly (readonly [string, unknown])[]): string {
  const lines = [
    ...openFile('file', file),
    'var body bytes.Buffer',
    'form := multipart.NewWriter(&body)',
    `part, err := form.CreateFormFile("file", "${file}")`,
    ...STOP,
    ...orStop('_, err := io.Copy(part, file)'),
    ...texts.flatMap(([name, value]) => orStop(`err := form.WriteField("${name}", "${String(value)}")`)),
    ...orStop('err := form.Close()'),
    ...requestOf('POST', url, '&body'),
    authorization('POSTHORN_KEY'),
    'request.Header.Set("Content-Type", form.FormDataContentType())',
    ...SEND,
  ];
  return program(lines, ['bytes', 'mime/multipart', 'os']);
}

const orStop = (statement: string): string[] => [`if ${statement}; err != nil {`, ...STOP.slice(1)];

const openFile = (name: string, file: string): string[] => [
  `${name}, err := os.Open("${file}")`,
  ...STOP,
  `defer ${name}.Close()`,
];

const requestOf = (method: string, url: string, body: string): string[] => [
  `request, err := http.NewRequest("${method}", "${url}", ${body})`,
  ...STOP,
];

const authorization = (variable: string): string =>
  `request.Header.Set("Authorization", "Bearer "+os.Getenv("${variable}"))`;

const SEND = [
  'response, err := http.DefaultClient.Do(request)',
  ...STOP,
  'defer response.Body.Close()',
  'answer, err := io.ReadAll(response.Body)',
  ...STOP,
  'fmt.Println(response.StatusCode, string(answer))',
];

/** A raw string shows the text as it is; it has no backquotes and loses carriage returns. */
const literal = (text: string): string => (/[`\r]/.test(text) ? JSON.stringify(text) : `\`${text}\``);

const ALWAYS = ['fmt', 'io', 'log', 'net/http'];

/** The lines of a raw string keep their place; all others are within `main`. */
function program(lines: readonly string[], packages: readonly string[]): string {
  const imports = [...ALWAYS, ...packages].toSorted().map((name) => `\t"${name}"`);
  return [
    'package main',
    '',
    'import (',
    ...imports,
    ')',
    '',
    'func main() {',
    ...lines.map((line) => `\t${line}`),
    '}',
  ].join('\n');
}
