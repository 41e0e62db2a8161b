import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { codeSamples, type SampleRequest } from './code-samples.ts';

const response = Type.Object({});
const scoped = { access: { scope: 'things:write' }, response } as const;
const fields = Type.Object({});
const baseUrl = 'http://localhost:3000';

const samplesOf = (route: SampleRequest['route'], path = '/v1/things'): string[] =>
  codeSamples({ route, path, baseUrl }).map(({ source }) => source);

test('a body of JSON is shown as each language writes it', () => {
  const example = { body: { name: "Ada's", on: true, off: null, text: 'true' } };
  const [curl, node, python] = samplesOf({ ...scoped, method: 'POST', body: { json: fields }, example });
  assert.equal(
    curl,
    `curl http://localhost:3000/v1/things \\
  -H "Authorization: Bearer $POSTHORN_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
  "name": "Ada'\\''s",
  "on": true,
  "off": null,
  "text": "true"
}'`,
  );
  assert.equal(
    node,
    `const response = await fetch('http://localhost:3000/v1/things', {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.POSTHORN_KEY}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    "name": "Ada's",
    "on": true,
    "off": null,
    "text": "true"
  }),
});
console.log(response.status, await response.json());`,
  );
  assert.equal(
    python,
    `import os

import requests

response = requests.post(
    "http://localhost:3000/v1/things",
    headers={"Authorization": f"Bearer {os.environ['POSTHORN_KEY']}"},
    json={
        "name": "Ada's",
        "on": True,
        "off": None,
        "text": "true"
    },
)
print(response.status_code, response.json())`,
  );
});

test('a file goes out as it is, with its media type and its query', () => {
  const example = { query: { mode: 'all' }, body: 'email\nada@example.com\n' };
  const [curl, node, python] = samplesOf({ ...scoped, method: 'POST', body: { bytes: ['text/csv'] }, example });
  assert.match(String(curl), /^curl 'http:\/\/localhost:3000\/v1\/things\?mode=all' \\\n/);
  assert.match(String(curl), /-H "Content-Type: text\/csv" \\\n {2}--data-binary 'email\nada@example\.com\n'$/);
  assert.match(String(node), /body: "email\\nada@example\.com\\n",/);
  assert.match(String(python), /"Content-Type": "text\/csv"\},\n {4}data="email\\nada@example\.com\\n"\.encode\(\),/);
});

test('a file that is no text is read from the disk', () => {
  const example = { file: 'logo.png' };
  const [curl, node, python] = samplesOf({ ...scoped, method: 'POST', body: { bytes: ['image/png'] }, example });
  assert.match(String(curl), /^curl http:[^]*-H "Content-Type: image\/png" \\\n {2}--data-binary @logo\.png$/);
  assert.match(
    String(node),
    /^import \{ readFile \}[^]*'Content-Type': 'image\/png'[^]*body: await readFile\('logo\.png'\),/,
  );
  assert.match(String(python), /"Content-Type": "image\/png"\},\n {4}data=open\("logo\.png", "rb"\),/);
});

test('a public read needs no credential, and a file is read as text', () => {
  const [curl, node, python] = samplesOf({ method: 'GET', access: 'public', response: { file: 'text/csv' } });
  assert.equal(curl, 'curl http://localhost:3000/v1/things');
  assert.match(String(node), /^const response = await fetch\('http:\/\/localhost:3000\/v1\/things'\);\n.*text\(\)\);$/);
  assert.match(String(python), /^import requests\n/);
});

test('a user signs in with a token, and other methods are named', () => {
  const [curl] = samplesOf({ method: 'DELETE', access: 'user', response });
  assert.equal(curl, 'curl -X DELETE http://localhost:3000/v1/things \\\n  -H "Authorization: Bearer $POSTHORN_TOKEN"');
});

test('a form with a file is sent with the file, in each language', () => {
  const body = { stream: ['multipart/form-data'], receive: () => Promise.reject(new Error('nothing is sent')) };
  const example = { body: { file: 'email', target: 'list:1' } };
  const [curl = '', node = '', python = '', go = ''] = samplesOf({ ...scoped, method: 'POST', body, example });
  assert.match(curl, /-F file=@people\.csv \\\n {2}-F target=list:1$/);
  assert.match(node, /form\.append\('target', 'list:1'\)/);
  assert.match(python, /files=\{"file": open\("people\.csv", "rb"\)\},\n {4}data=\{"target": "list:1"\}/);
  assert.match(go, /CreateFormFile\("file", "people\.csv"\)[^]*WriteField\("target", "list:1"\)/);
  for (const sample of [curl, node, python]) assert.ok(!sample.includes('multipart'), sample);
});

test('a program in Go has its body as it is, stops at errors and imports what it uses', () => {
  const go = (route: SampleRequest['route']): string => samplesOf(route)[3] ?? '';
  const body = { json: fields };
  assert.equal(
    go({ ...scoped, method: 'POST', body, example: { body: { name: "Ada's" } } }),
    `package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
)

func main() {
	body := strings.NewReader(\`{
  "name": "Ada's"
}\`)
	request, err := http.NewRequest("POST", "http://localhost:3000/v1/things", body)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("POSTHORN_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.StatusCode, string(answer))
}`,
  );
  const quoted = go({ ...scoped, method: 'POST', body, example: { body: { text: '`a`' } } });
  assert.match(quoted, /strings\.NewReader\("\{\\n {2}\\"text\\": \\"`a`\\"\\n\}"\)/, 'a raw string has no backquotes');
  const read = go({ method: 'GET', access: 'public', response });
  assert.match(read, /NewRequest\("GET", "http:\/\/localhost:3000\/v1\/things", nil\)/);
  assert.doesNotMatch(read, /"(os|strings)"/);
  const bytes = go({ ...scoped, method: 'POST', body: { bytes: ['image/png'] }, example: { file: 'logo.png' } });
  assert.match(bytes, /\tbody, err := os\.Open\("logo\.png"\)\n[^]*\tdefer body\.Close\(\)\n[^]*"image\/png"/);
});
