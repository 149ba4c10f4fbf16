import { expect, it } from 'vitest';
import { startOperatorPage, TOKEN } from '#test/operator/running-page.ts';
import { describeInBrowser, startVisit, type Visit } from './support/visit.ts';

const FOCUSABLE = 'a[href], button, input:not([type=hidden]), select, textarea, [tabindex="0"]';
/** What has the focus, with its place among all that can have it. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  const style = getComputedStyle(element);
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return {
    place: [...document.querySelectorAll('${FOCUSABLE}')].indexOf(element),
    name: (element.getAttribute('aria-label') ?? element.textContent).replaceAll(/\\s+/g, ' ').trim(),
    isMarked: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
    isSeen: left >= 0 && top >= 0 && right <= innerWidth && top < innerHeight && bottom > 0,
    isInDialog: element.closest('dialog') !== null,
  };
})()`;

interface Focused {
  readonly place: number;
  readonly name: string;
  readonly isMarked: boolean;
  readonly isSeen: boolean;
  readonly isInDialog: boolean;
}
const focused = (visit: Visit): Promise<Focused> => visit.evaluate(FOCUSED);

/** Presses Tab until something of that name has the focus. */
const tabTo = async (visit: Visit, name: string): Promise<void> => {
  for (let presses = 0; presses < 80; presses += 1) {
    await visit.page.keyboard.press('Tab');
    if ((await focused(visit)).name === name) return;
  }
  throw new Error(`Tab does not reach ${name}`);
};

const pressAndFollow = (visit: Visit, key: 'Enter' | 'Space') =>
  Promise.all([visit.page.waitForNavigation(), visit.page.keyboard.press(key)]);

describeInBrowser('the operator page with a keyboard only', () => {
  it('logs in without a click, and skips the menu', async () => {
    const running = await startOperatorPage();
    const visit = await startVisit(running);
    await visit.open('/operator');
    // The browser puts it there after the page is loaded.
    await expect.poll(() => visit.evaluate('document.activeElement.id')).toBe('secret');
    await visit.page.keyboard.type(TOKEN);
    await pressAndFollow(visit, 'Enter');
    expect(await visit.text('h1')).toBe('Overview');

    await visit.page.keyboard.press('Tab');
    expect(await focused(visit)).toMatchObject({ name: 'Skip to content', isSeen: true, isMarked: true });
    await visit.page.keyboard.press('Enter');
    expect(await visit.evaluate('document.activeElement.id')).toBe('content');
    await visit.page.keyboard.press('Tab');
    expect(await visit.evaluate("document.activeElement.closest('main') !== null")).toBe(true);
  });

  it('reaches everything in the order of the page, and always shows where it is', async () => {
    const running = await startOperatorPage();
    const visit = await startVisit(running);
    await visit.logIn();
    for (const [path, width] of [
      ['/operator', 320],
      ['/operator/keys', 320],
      ['/operator/settings', 1_280],
    ] as const) {
      await visit.page.setViewport({ width, height: 900 });
      await visit.open(path);
      const places = await visit.evaluate<number>(`document.querySelectorAll('${FOCUSABLE}').length`);
      for (let place = 0; place < places; place += 1) {
        await visit.page.keyboard.press('Tab');
        const found = await focused(visit);
        expect([path, found]).toEqual([path, { ...found, place, isMarked: true, isSeen: true }]);
      }
    }
  });

  it('keeps the focus in a question, and gives it back', async () => {
    const running = await startOperatorPage();
    const visit = await startVisit(running);
    await visit.logIn();
    await visit.open('/operator/dead-letters');
    running.done.length = 0;
    await tabTo(visit, 'Replay: ea12');
    await visit.page.keyboard.press('Enter');
    expect(await focused(visit)).toMatchObject({ name: 'Cancel', isMarked: true });
    const reached = new Set<string>();
    for (let presses = 0; presses < 6; presses += 1) {
      await visit.page.keyboard.press('Tab');
      const { name, isInDialog } = await focused(visit);
      // The browser itself is between the last button and the first.
      if (isInDialog) reached.add(name);
      else expect(await visit.evaluate('document.activeElement.tagName')).toBe('BODY');
    }
    expect([...reached].toSorted()).toEqual(['Cancel', 'Yes, do it']);
    await visit.page.keyboard.press('Escape');
    await expect.poll(() => visit.evaluate("document.querySelectorAll('dialog').length")).toBe(0);
    expect(await focused(visit)).toMatchObject({ name: 'Replay: ea12', isMarked: true });

    await visit.page.keyboard.press('Space');
    expect(await focused(visit)).toMatchObject({ name: 'Cancel' });
    await visit.page.keyboard.press('Enter');
    await expect.poll(() => visit.evaluate("document.querySelectorAll('dialog').length")).toBe(0);
    expect(await focused(visit)).toMatchObject({ name: 'Replay: ea12' });
    expect(running.done).toEqual([]);

    await visit.page.keyboard.press('Space');
    await tabTo(visit, 'Yes, do it');
    await pressAndFollow(visit, 'Space');
    expect(running.done).toEqual([['replay', expect.any(String), { kind: 'token' }]]);
  });

  it('switches language and colours, and scrolls a wide table on a phone', async () => {
    const running = await startOperatorPage();
    const visit = await startVisit(running, { width: 320 });
    await visit.logIn();
    await tabTo(visit, 'Dark');
    await pressAndFollow(visit, 'Space');
    expect(await visit.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await tabTo(visit, '한국어');
    await pressAndFollow(visit, 'Enter');
    expect(await visit.text('h1')).toBe('개요');

    await visit.open('/operator/dead-letters');
    await visit.evaluate("document.querySelector('.scroll').focus()");
    const scrolled = () => visit.evaluate<number>("document.querySelector('.scroll').scrollLeft");
    expect(await scrolled()).toBe(0);
    await visit.page.keyboard.press('ArrowRight');
    await expect.poll(scrolled).toBeGreaterThan(0);
  });
});
