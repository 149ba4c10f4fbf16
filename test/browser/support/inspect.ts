import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Visit } from './visit.ts';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** What changes with the width or the colours of a page. The other rules look at its structure. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const WIDTH_RULES = [...COLOUR_RULES, 'target-size', 'scrollable-region-focusable', 'region'];

const RUNS = {
  all: '{}',
  colours: `{ runOnly: ${JSON.stringify(COLOUR_RULES)} }`,
  width: `{ runOnly: ${JSON.stringify(WIDTH_RULES)} }`,
  structure: `{ rules: { ${COLOUR_RULES.map((rule) => `'${rule}': { enabled: false }`).join(', ')} } }`,
} as const;

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Accessibility faults of a part of what the browser shows now. The page must allow scripts that are not its own. */
export const axe = async (
  visit: Visit,
  run: keyof typeof RUNS = 'all',
  part = 'html',
): Promise<readonly string[]> => {
  if (!(await visit.evaluate<boolean>("'axe' in window"))) await visit.evaluate(`${AXE};0`);
  const found = await visit.evaluate<readonly Violation[]>(
    `axe.run('${part}', { resultTypes: ['violations'], preload: false, ...${RUNS[run]} }).then(({ violations }) => violations)`,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
};

/** Markup that the content security policy would refuse, or that leaves the site. */
export const foreignMarkup = (visit: Visit): Promise<readonly string[]> =>
  visit.evaluate(`[...document.querySelectorAll('*')].filter((element) =>
    ['STYLE', 'IFRAME', 'OBJECT', 'EMBED', 'BASE'].includes(element.tagName) ||
    (element.tagName === 'SCRIPT' && !element.src) ||
    [...element.attributes].some(({ name, value }) =>
      name === 'style' || name.startsWith('on') ||
      (['href', 'src', 'action', 'formaction', 'srcset'].includes(name) && !/^(\\/operator|#|data:,)/.test(value))),
  ).map((element) => element.outerHTML.slice(0, 200))`);

/** Things that stick out of the window, though the page should scroll down only. */
export const tooWide = (visit: Visit): Promise<readonly string[]> =>
  visit.evaluate(`(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const outside = [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth && !element.closest('.scroll'))
      .map((element) => element.outerHTML.slice(0, 200));
    return ['the page is ' + scrollWidth + ' px wide', ...outside];
  })()`);

/** Texts of the page itself, not of its data, without a Korean word. */
export const notKorean = (visit: Visit): Promise<readonly string[]> =>
  visit.evaluate(`[...document.querySelectorAll('h1, h2, thead th, caption, dt, dd small, button, label, nav a, option, .note, .scope, .none, .skip, .notice')]
    .map((element) => element.textContent.trim())
    .filter((text) => text !== '' && text !== 'English' && !/[가-힣]/u.test(text))`);
