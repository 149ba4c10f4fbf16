import { type Browser, connect, type ElementHandle, type HTTPResponse, type Page } from 'puppeteer-core';
import { describe, expect, inject, onTestFinished } from 'vitest';
import { operatorTexts } from '#src/operator/texts.ts';
import { type RunningPage, TOKEN } from '#test/operator/running-page.ts';

/** Tests in Chromium. Without one they are skipped, which the setup of the project says loudly. */
export const describeInBrowser: (name: string, tests: () => void) => void = describe.skipIf(
  inject('chromium') === '',
);

let connecting: Promise<Browser> | undefined;
const openBrowser = (): Promise<Browser> =>
  (connecting ??= connect({ browserWSEndpoint: inject('chromium'), defaultViewport: null }));

interface VisitOptions {
  readonly locale?: 'ko' | 'en';
  readonly hasJavaScript?: boolean;
  readonly width?: number;
  /** Whether the operator page can be entered with a token too. Default: true. */
  readonly hasToken?: boolean;
  /** Errors in the console that belong to the test, such as a login that fails. */
  readonly expected?: RegExp;
}

/** One person with a browser of their own. */
export interface Visit {
  readonly page: Page;
  /** Opens an address of the operator page, or a whole one. */
  readonly open: (path: string) => Promise<HTTPResponse | undefined>;
  readonly logIn: (secret?: string) => Promise<void>;
  /** Clicks what a screen reader would call so. */
  readonly click: (name: string, role?: string) => Promise<void>;
  /** Clicks, and waits for the page that follows. */
  readonly follow: (name: string, role?: string) => Promise<void>;
  readonly type: (label: string, text: string) => Promise<void>;
  /** What the page says, on one line. */
  readonly text: (selector?: string) => Promise<string>;
  /** The value of an expression in the page. */
  readonly evaluate: <T>(expression: string) => Promise<T>;
  readonly path: () => string;
  /** What a script of an attacker would have called. */
  readonly attacks: readonly string[];
}

const HEIGHT = 900;

/** Opens a browser without cookies. The test fails if a page logs an error, opens a dialog or asks another site. */
export const startVisit = async (
  { origin }: Pick<RunningPage, 'origin'>,
  { locale = 'en', hasJavaScript = true, width = 1_280, hasToken = true, expected }: VisitOptions = {},
): Promise<Visit> => {
  const context = await (await openBrowser()).createBrowserContext();
  const page = await context.newPage();
  await page.setViewport({ width, height: HEIGHT });
  await page.setExtraHTTPHeaders({ 'accept-language': locale });
  await page.emulateFocusedPage(true);
  if (!hasJavaScript) await page.setJavaScriptEnabled(false);

  const texts = operatorTexts(locale).login;
  const problems: string[] = [];
  const attacks: string[] = [];
  await page.exposeFunction('attacked', (how: unknown) => void attacks.push(String(how)));
  page.on('console', (message) => {
    if (['error', 'warn', 'assert'].includes(message.type()) && expected?.test(message.text()) !== true)
      problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => void problems.push(`script: ${String(error)}`));
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    const isOwn = url.origin === origin || url.protocol === 'data:';
    if (!isOwn && expected?.test(url.href) !== true) problems.push(`request: ${url.href}`);
  });
  onTestFinished(async () => {
    await context.close();
    expect(problems).toEqual([]);
  });

  const find = async (name: string, role = 'button'): Promise<ElementHandle> => {
    const element = await page.$(`::-p-aria([name="${name}"][role="${role}"])`);
    if (!element) throw new Error(`There is no ${role} called ${name} on ${page.url()}`);
    return element;
  };
  // Not `element.click()`: it waits for a callback, which a page without scripts never calls.
  const click: Visit['click'] = async (name, role) => {
    const element = await find(name, role);
    await element.evaluate((node) => {
      (node as { scrollIntoView: (at: unknown) => void }).scrollIntoView({ block: 'center' });
    });
    const { x, y } = await element.clickablePoint();
    await page.mouse.click(x, y);
  };
  const evaluate = async <T>(expression: string): Promise<T> => (await page.evaluate(expression)) as T;
  const follow: Visit['follow'] = async (name, role) => {
    await Promise.all([page.waitForNavigation(), click(name, role)]);
  };
  // As if pasted: one event instead of three for each character.
  const type: Visit['type'] = async (label, text) => {
    await click(label, 'textbox');
    await page.keyboard.sendCharacter(text);
  };

  const visit: Visit = {
    page,
    open: async (path) => (await page.goto(new URL(path, origin).href)) ?? undefined,
    logIn: async (secret = TOKEN) => {
      await visit.open('/operator/login');
      await type(texts.field({ hasToken }), secret);
      await follow(texts.submit);
    },
    click,
    follow,
    type,
    text: async (selector = 'body') =>
      (await evaluate<string>(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`))
        .replaceAll(/\s+/gu, ' ')
        .trim(),
    evaluate,
    path: () => new URL(page.url()).pathname + new URL(page.url()).search,
    attacks,
  };
  return visit;
};
