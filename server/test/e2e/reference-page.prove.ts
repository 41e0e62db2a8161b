/** The API reference in a browser: it works under its policy, asks nobody else, and shows our samples. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { createTestApp, type TestApp } from '../harness/app.ts';
import { openPage, startBrowser } from '../harness/browser.ts';
import { startBoth } from '../harness/start-both.ts';

let t: TestApp;
let browser: Browser;
let origin: string;
before(async () => {
  [t, browser] = await startBoth(
    { started: createTestApp(), end: (it) => it.close() },
    { started: startBrowser(), end: (it) => it.close() },
  );
  origin = await t.app.listen({ host: '127.0.0.1', port: 0 });
});
after(async () => {
  await browser.close();
  await t.close();
});

test('the reference is drawn, with the samples of the document, and its policy refuses nothing', async () => {
  const { page, errors, strangers, close } = await openPage(browser, [origin]);
  await page.goto(`${origin}/docs/#tag/Sending/POST/v1/send`);
  await page.getByText('curl http://localhost:3000/v1/send', { exact: false }).first().waitFor();
  assert.deepEqual(errors, []);
  assert.deepEqual(strangers, []);
  await close();
});

test('without JavaScript the page lists every operation', async () => {
  const { page, close } = await openPage(browser, [origin], { javaScriptEnabled: false });
  await page.goto(`${origin}/docs/`);
  const listed = await page.locator('dt').count();
  const { paths } = t.document;
  assert.equal(listed, Object.values(paths).flatMap((methods) => Object.keys(methods)).length);
  await close();
});
