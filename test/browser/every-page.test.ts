import { expect, it } from 'vitest';
import { PAGE_IDS } from '#src/operator/texts.ts';
import { ADMIN_PERSON, type RunningPage, startOperatorPage } from '#test/operator/running-page.ts';
import { axe, foreignMarkup, notKorean, tooWide } from './support/inspect.ts';
import { emptyReports, failingReports, hostileActions, hostileReports } from './support/reports.ts';
import { describeInBrowser, startVisit, type Visit } from './support/visit.ts';

const MAX_PAGE_BYTES = 60_000;
const [DESK, PHONE] = [1_280, 320];
const PATHS = PAGE_IDS.map((id) => (id === 'overview' ? '/operator' : `/operator/${id}`));
/** An answer with such a status is an error in the console of the browser. */
const REFUSED = /status of 40[14]/;

type Faults = Record<string, readonly string[]>;
const NONE = (paths: Iterable<string>): Faults => Object.fromEntries([...paths].map((path) => [path, []]));

const logInAsAdmin = async (running: RunningPage, visit: Visit): Promise<void> => {
  await visit.logIn((await running.access.issueCode(ADMIN_PERSON, []))?.code);
};

const show = async (visit: Visit, colours: 'light' | 'dark', width: number): Promise<void> => {
  await visit.page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: colours },
    // Otherwise colours are measured on their way to others.
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]);
  await visit.page.setViewport({ width, height: 900 });
};

/** All rules on a desk in light, and what changes with colours and width on a phone in dark. */
const faultsOf = async (visit: Visit, part: string): Promise<readonly string[]> => {
  await show(visit, 'light', DESK);
  const found = [...(await foreignMarkup(visit)), ...(await axe(visit, 'all', part))];
  await show(visit, 'dark', PHONE);
  return [...found, ...(await tooWide(visit)), ...(await axe(visit, 'width', part))];
};

/** The colours the other way round. */
const colourFaultsOf = async (visit: Visit): Promise<readonly string[]> => {
  await show(visit, 'light', PHONE);
  const onPhone = await axe(visit, 'colours');
  await show(visit, 'dark', DESK);
  return [...onPhone, ...(await axe(visit, 'colours'))];
};

describeInBrowser('every page for operators', () => {
  it('is accessible in light and dark, on a desk and on a phone', async () => {
    const running = await startOperatorPage();
    const visit = await startVisit(running);
    await logInAsAdmin(running, visit);
    const faults: Faults = {};
    for (const path of PATHS) {
      await visit.open(path);
      // The frame is the same on every page.
      const isFirst = path === '/operator';
      faults[path] = await faultsOf(visit, isFirst ? 'html' : 'main');
      // They come from one palette, so the page with most kinds of parts is enough.
      if (isFirst) faults[path] = [...faults[path], ...(await colourFaultsOf(visit))];
    }
    expect(faults).toEqual(NONE(PATHS));
  });

  it('is accessible while it asks, refuses, answers, or has nothing to show', async () => {
    const running = await startOperatorPage();
    const visit = await startVisit(running, { expected: REFUSED });
    const faults: Faults = {};
    await visit.logIn('WRONG-CODE');
    faults['wrong code'] = await faultsOf(visit, 'html');
    await logInAsAdmin(running, visit);
    await visit.open('/operator/nothing-here');
    faults['not found'] = await faultsOf(visit, 'html');

    await visit.open('/operator/shares');
    await visit.click('Read: p-77b0e2');
    faults['question'] = await faultsOf(visit, 'dialog');
    await visit.follow('Yes, do it');
    expect(await visit.text('main')).toContain('What is the price of AAPL?');
    faults['conversation'] = await faultsOf(visit, 'main');
    await visit.page.setJavaScriptEnabled(false);
    await visit.open('/operator/dead-letters');
    await visit.follow('Discard: ea12');
    await visit.page.setJavaScriptEnabled(true);
    faults['question without scripts'] = await faultsOf(visit, 'main');
    await visit.follow('Yes, do it');
    faults['notice'] = await faultsOf(visit, 'main');
    expect(faults).toEqual(NONE(Object.keys(faults)));
  });

  it('says what is missing or empty, and stays accessible', async () => {
    for (const [reports, sentence] of [
      [failingReports, 'Not available at the moment.'],
      [emptyReports, 'None.'],
    ] as const) {
      const running = await startOperatorPage({ reports });
      const visit = await startVisit(running, { width: PHONE });
      await logInAsAdmin(running, visit);
      for (const path of PATHS) {
        await visit.open(path);
        // Settings are read at the start. Usage and the check of numbers have zeros, and keys a sentence of their own.
        if (!['/operator/settings', '/operator/figures', '/operator/keys'].includes(path))
          expect([path, await visit.text('main')]).toEqual([path, expect.stringContaining(sentence)]);
        expect([path, ...(await tooWide(visit))]).toEqual([path]);
        if (['/operator', '/operator/keys'].includes(path))
          expect(await axe(visit, 'all', 'main')).toEqual([]);
      }
    }
  });

  it('shows hostile texts and huge numbers as text, on a phone too', async () => {
    const running = await startOperatorPage({ reports: hostileReports, actions: hostileActions });
    const visit = await startVisit(running, { width: PHONE });
    await logInAsAdmin(running, visit);
    for (const path of PATHS) {
      await visit.open(path);
      expect([path, ...(await foreignMarkup(visit)), ...(await tooWide(visit))]).toEqual([path]);
    }
    expect(visit.attacks).toEqual([]);
  });

  it('speaks Korean throughout, in small pages', async () => {
    const running = await startOperatorPage();
    const visit = await startVisit(running, { locale: 'ko', width: PHONE });
    await logInAsAdmin(running, visit);
    const faults: Faults = {};
    for (const path of PATHS) {
      const response = await visit.open(path);
      const bytes = (await response?.buffer())?.byteLength ?? 0;
      faults[path] = [
        ...(bytes > 0 && bytes < MAX_PAGE_BYTES ? [] : [`${bytes} bytes`]),
        ...((await visit.evaluate<string>('document.documentElement.lang')) === 'ko'
          ? []
          : ['not said to be Korean']),
        ...(await notKorean(visit)),
        ...(await tooWide(visit)),
        ...(await axe(visit, 'structure', 'main')),
      ];
    }
    expect(faults).toEqual(NONE(PATHS));
  });
});
