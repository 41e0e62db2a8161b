import { goFormSample } from './go-samples.ts';

const FILE = 'people.csv';

/** The example of a form with a file in its field `file`. The programs write the boundary of the form by themselves. */
export function formSamples(url: string, fields: Readonly<Record<string, unknown>>) {
  const texts = Object.entries(fields).filter(([name]) => name !== 'file');
  const curl = [
    `curl ${url}`,
    '-H "Authorization: Bearer $POSTHORN_KEY"',
    `-F file=@${FILE}`,
    ...texts.map(([name, value]) => `-F ${name}=${value}`),
  ];
  const node = [
    "import { openAsBlob } from 'node:fs';",
    '',
    'const form = new FormData();',
    `form.append('file', await openAsBlob('${FILE}'), '${FILE}');`,
    ...texts.map(([name, value]) => `form.append('${name}', '${value}');`),
    `const response = await fetch('${url}', {`,
    "  method: 'POST',",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the sample is a program, and holds a template of its own
    '  headers: { Authorization: `Bearer ${process.env.POSTHORN_KEY}` },',
    '  body: form,',
    '});',
    'console.log(response.status, await response.json());',
  ];
  const python = [
    'import os',
    '',
    'import requests',
    '',
    'response = requests.post(',
    `    "${url}",`,
    `    headers={"Authorization": f"Bearer {os.environ['POSTHORN_KEY']}"},`,
    `    files={"file": open("${FILE}", "rb")},`,
    `    data={${texts.map(([name, value]) => `"${name}": "${value}"`).join(', ')}},`,
    ')',
    'print(response.status_code, response.json())',
  ];
  return [
    { lang: 'Shell', label: 'curl', source: curl.join(' \\\n  ') },
    { lang: 'JavaScript', label: 'Node.js', source: node.join('\n') },
    { lang: 'Python', label: 'Python', source: python.join('\n') },
    { lang: 'Go', label: 'Go', source: goFormSample(url, FILE, texts) },
  ];
}
