import { expect, it } from 'vitest';
import { asId, type ChannelId } from '#src/kernel/ids.ts';
import type { SystemStatus } from '#src/kernel/operations/status.ts';
import { fakeReports } from '#test/operator/fake-operator.ts';
import { ADMIN_PERSON, startOperatorPage } from '#test/operator/running-page.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { HOSTILE } from './support/reports.ts';
import { describeInBrowser, startVisit } from './support/visit.ts';

/** A page whose state the test changes. */
const startChangingPage = async ({ bypassesPolicy = false } = {}) => {
  const clock = new ManualClock();
  const changed: { current: Partial<SystemStatus> } = { current: {} };
  const running = await startOperatorPage({
    clock,
    reports: { status: async () => ({ ...(await fakeReports().status()), ...changed.current }) },
  });
  const visit = await startVisit(running, { expected: /status of 502|ERR_/ });
  await visit.page.setBypassCSP(bypassesPolicy);
  await visit.logIn((await running.access.issueCode(ADMIN_PERSON, []))?.code);
  await visit.evaluate('window.isSamePage = true');
  // The stream is open when the timer of its next update runs.
  await expect.poll(() => clock.pendingTimers).toBe(1);
  return {
    running,
    visit,
    update: async (status: Partial<SystemStatus> = {}) => {
      changed.current = { ...changed.current, ...status };
      await clock.advance(2_000);
    },
    state: () => visit.text('[data-live=state]'),
  };
};

const waiting = (pending: number): Partial<SystemStatus> => ({ inbox: { pending, suspended: 0 } });

describeInBrowser('the operator page while it is open', () => {
  it('shows changes without being loaded again', async () => {
    const { visit, update, state } = await startChangingPage();
    expect(await state()).toContain('Messages waiting 3');
    await update(waiting(77));
    await expect.poll(state).toContain('Messages waiting 77');
    await visit.page.setViewport({ width: 320, height: 900 });
    const wide = "document.querySelector('[data-live=processes] .scroll')";
    await visit.evaluate(`${wide}.scrollLeft = 50`);
    const [process] = (await fakeReports().status()).processes;
    await update({ channels: [], processes: process ? [{ ...process, role: 'gateway' }] : [] });
    await expect.poll(() => visit.text('[data-live=processes]')).toContain('gateway');
    expect(await visit.text('[data-live=channels]')).toContain('None.');
    expect(await visit.evaluate(`${wide}.scrollLeft`)).toBe(50);
    expect(await visit.evaluate('window.isSamePage')).toBe(true);
  });

  it('leaves a part alone in which somebody moves with the keyboard or selects text, and catches up after', async () => {
    const { visit, update, state } = await startChangingPage();
    await visit.evaluate("document.querySelector('[data-live=state] a').focus()");
    await update({ ...waiting(78), channels: [] });
    await expect.poll(() => visit.text('[data-live=channels]')).toContain('None.');
    expect(await visit.evaluate("document.activeElement.matches('[data-live=state] a')")).toBe(true);
    expect(await state()).toContain('Messages waiting 3');
    await visit.evaluate('document.activeElement.blur()');
    await expect.poll(state).toContain('Messages waiting 78');

    await visit.evaluate("getSelection().selectAllChildren(document.querySelector('[data-live=state] dd'))");
    await update({ ...waiting(79), channels: [{ id: asId<ChannelId>('slack'), isConnected: true }] });
    await expect.poll(() => visit.text('[data-live=channels]')).toContain('slack');
    expect(await state()).toContain('Messages waiting 78');
    await visit.evaluate('getSelection().removeAllRanges()');
    await expect.poll(state).toContain('Messages waiting 79');
  });

  it('does not take hostile names for markup', async () => {
    const { visit, update } = await startChangingPage({ bypassesPolicy: true });
    await update({ version: HOSTILE, breakers: [{ name: HOSTILE, state: 'open' }] });
    await expect.poll(() => visit.text('[data-live=state]')).toContain('<img src=x onerror=');
    expect(visit.attacks).toEqual([]);
    expect(await visit.evaluate("document.querySelectorAll('main :is(img, script, svg)').length")).toBe(0);
  });

  it('can be paused and resumed', async () => {
    const { running, visit, update, state } = await startChangingPage();
    expect(await visit.text('.live')).toBe('Live Pause updates');
    await visit.click('Pause updates');
    expect(await visit.text('.live')).toBe('Updates paused Resume updates');
    await expect.poll(() => running.clock).toMatchObject({ pendingTimers: 0 });
    await update(waiting(79));
    expect(await state()).toContain('Messages waiting 3');
    await visit.click('Resume updates');
    await expect.poll(() => running.clock).toMatchObject({ pendingTimers: 1 });
    await update();
    await expect.poll(state).toContain('Messages waiting 79');
  });

  it('needs no connection while nobody looks at it', async () => {
    const { running, visit, update, state } = await startChangingPage();
    const turn = (isHidden: boolean) =>
      visit.evaluate(
        `Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true }) && document.dispatchEvent(new Event('visibilitychange'))`,
      );
    await turn(true);
    await expect.poll(() => running.clock).toMatchObject({ pendingTimers: 0 });
    await turn(false);
    await expect.poll(() => running.clock).toMatchObject({ pendingTimers: 1 });
    await update(waiting(84));
    await expect.poll(state).toContain('Messages waiting 84');
    await visit.click('Pause updates');
    await turn(true);
    await turn(false);
    expect(await visit.text('.live')).toBe('Updates paused Resume updates');
    await expect.poll(() => running.clock).toMatchObject({ pendingTimers: 0 });
  });

  it('says so when the session ends, and asks to log in', async () => {
    const { running, visit, update } = await startChangingPage();
    await running.access.endSessions(ADMIN_PERSON);
    await update(waiting(80));
    await expect.poll(() => visit.text('.live')).toBe('Your session has ended. Reload the page to log in.');
    expect(await visit.text()).not.toContain('80');
    await visit.follow('Usage and cost', 'link');
    expect(visit.path()).toBe('/operator/login');
  });

  it('says that the connection is lost, and ends with the browser', async () => {
    const { running, visit } = await startChangingPage();
    await visit.page.close();
    await expect.poll(() => running.clock).toMatchObject({ pendingTimers: 0 });
    const other = await startVisit(running, { expected: /ERR_|status of 503/ });
    await other.logIn();
    await expect.poll(() => running.clock).toMatchObject({ pendingTimers: 1 });
    running.page.stop();
    await expect.poll(() => other.text('.live')).toContain('Connection lost; trying again');
  });

  it('tries again after an error of a proxy, and sees there that the session has ended', async () => {
    const { running, visit, update, state } = await startChangingPage();
    let isProxyAlone = true;
    await visit.page.setRequestInterception(true);
    visit.page.on('request', (request) => {
      if (isProxyAlone && request.url().includes('/operator/events')) void request.respond({ status: 502 });
      else void request.continue();
    });
    await visit.page.reload();
    await expect.poll(() => visit.text('.live')).toBe('Connection lost; trying again Pause updates');
    isProxyAlone = false;
    await expect.poll(() => visit.text('.live'), { timeout: 30_000 }).toBe('Live Pause updates');
    await update(waiting(83));
    await expect.poll(state).toContain('Messages waiting 83');

    isProxyAlone = true;
    await visit.page.reload();
    await expect.poll(() => visit.text('.live')).toContain('Connection lost');
    await running.access.endSessions(ADMIN_PERSON);
    isProxyAlone = false;
    await expect.poll(() => visit.text('.live'), { timeout: 30_000 }).toContain('Your session has ended.');
  });

  it('does not pass for live while nothing comes', async () => {
    const { visit, update, state } = await startChangingPage();
    // The first fifteen seconds pass at once.
    await visit.page.evaluateOnNewDocument(
      'const { setTimeout: real } = window; let isOver = false; window.setTimeout = (run, ms) => { const isFirst = ms === 15_000 && !isOver; isOver ||= isFirst; return real(run, isFirst ? 0 : ms); };',
    );
    await visit.page.reload();
    await expect.poll(() => visit.text('.live')).toBe('Connection lost; trying again Pause updates');
    // The server may hear of the connection that the page gave up after it, so one update could go to nobody.
    const nextUpdate = async (): Promise<string> => {
      await update(waiting(85));
      return state();
    };
    await expect.poll(nextUpdate, { interval: 500 }).toContain('Messages waiting 85');
  });
});
