import { expect, it } from 'vitest';
import type { Operator } from '#src/kernel/operations/operator.ts';
import { ADMIN, fakeReports } from '#test/operator/fake-operator.ts';
import { ADMIN_PERSON, type RunningPage, startOperatorPage } from '#test/operator/running-page.ts';
import { describeInBrowser, startVisit, type Visit } from './support/visit.ts';

const logInAsAdmin = async (running: RunningPage, visit: Visit): Promise<void> => {
  await visit.logIn((await running.access.issueCode(ADMIN_PERSON, []))?.code);
};

const FIRST_LETTER = '0199a000-0000-7000-8000-000000000000';
const SECOND_LETTER = '0199b000-0000-7000-8000-000000000000';

interface Step {
  readonly path: string;
  readonly button: string;
  readonly asks?: boolean;
  readonly done: readonly [what: string, ...details: unknown[]];
  readonly says: string;
}

const stepsOf = (by: Operator): readonly Step[] => [
  {
    path: 'dead-letters',
    button: 'Replay: ea12',
    asks: true,
    done: ['replay', FIRST_LETTER, by],
    says: 'The message is being answered again.',
  },
  {
    path: 'dead-letters',
    button: 'Discard: eb12',
    asks: true,
    done: ['discard', SECOND_LETTER, by],
    says: 'The message was discarded.',
  },
  {
    path: 'keys',
    button: 'Pause for 1 hour: sk-ant-…9f3A',
    asks: true,
    done: ['restKey', 'k1', 60, by],
    says: 'The key is paused for an hour.',
  },
  {
    path: 'keys',
    button: 'Resume: sk-…77Qz',
    done: ['restKey', 'k2', 0, by],
    says: 'The key is in use again.',
  },
  {
    path: 'keys',
    button: 'Turn off: sk-ant-…9f3A',
    asks: true,
    done: ['setKeyActive', 'k1', false, by],
    says: 'The key is off.',
  },
  {
    path: 'keys',
    button: 'Turn on: sk-ant-…off1',
    done: ['setKeyActive', 'k3', true, by],
    says: 'The key is on.',
  },
  {
    path: 'approvals',
    button: 'Approve: set_reminder, p-3f9a1c',
    asks: true,
    done: ['decide', 'ap-1', 'approve', by],
    says: 'The tool call was approved.',
  },
  {
    path: 'approvals',
    button: 'Deny: set_reminder, p-3f9a1c',
    asks: true,
    done: ['decide', 'ap-1', 'deny', by],
    says: 'The tool call was denied.',
  },
  {
    path: 'shares',
    button: 'Read: p-77b0e2',
    asks: true,
    done: ['readShare', 's1', by],
    says: 'What is the price of AAPL?',
  },
];

describeInBrowser('the actions of operators', () => {
  for (const hasJavaScript of [true, false]) {
    it(`are done by a click, and asked about first (scripts: ${hasJavaScript})`, async () => {
      const [known] = await fakeReports().keys();
      if (!known) throw new Error('There is no key');
      const running = await startOperatorPage({
        reports: {
          keys: async () => [
            ...(await fakeReports().keys()),
            { ...known, id: 'k3', masked: 'sk-ant-…off1', isActive: false },
          ],
        },
      });
      const visit = await startVisit(running, { hasJavaScript });
      await logInAsAdmin(running, visit);
      running.done.length = 0;
      for (const { path, button, asks = false, done, says } of stepsOf(ADMIN)) {
        await visit.open(`/operator/${path}`);
        const ask = () => (hasJavaScript ? visit.click(button) : visit.follow(button));
        if (asks) {
          await ask();
          expect(await visit.text()).toContain('Are you sure?');
          if (button.startsWith('Replay')) {
            // Who changes their mind has done nothing.
            await (hasJavaScript ? visit.click('Cancel') : visit.follow('Cancel', 'link'));
            expect(running.done).toEqual([]);
            await ask();
          }
          await visit.follow('Yes, do it');
        } else await visit.follow(button);
        expect(running.done).toEqual([done]);
        expect(await visit.text('main')).toContain(says);
        running.done.length = 0;
        if (!button.startsWith('Replay')) continue;
        await visit.page.reload();
        expect(running.done).toEqual([]);
      }
    });

    it(`filter and choose by address (scripts: ${hasJavaScript})`, async () => {
      const running = await startOperatorPage();
      const visit = await startVisit(running, { hasJavaScript });
      await logInAsAdmin(running, visit);
      await visit.follow('Usage and cost', 'link');
      expect(await visit.text('main')).toContain('$2.04');
      await visit.follow('today', 'link');
      expect(visit.path()).toBe('/operator/usage?days=1');
      expect(await visit.text('.sum')).toBe('Total: $0.4215');
      await visit.follow('90 days', 'link');
      expect(
        await visit.evaluate(
          "document.querySelector('img').complete && document.querySelector('img').naturalWidth",
        ),
      ).toBeGreaterThan(0);

      await visit.follow('Settings', 'link');
      await visit.type('Name or value contains', 'seoul');
      await visit.follow('Filter');
      expect(visit.path()).toContain('find=seoul');
      expect(await visit.text('tbody')).toBe('timeZone Asia/Seoul file');

      await visit.follow('Log', 'link');
      await visit.page.select('#level', 'error');
      await visit.follow('Filter');
      expect(await visit.text('tbody')).toContain('The model did not answer in time');
      expect(await visit.text('tbody')).not.toContain('FinClaw is ready');
    });

    it(`keep the language and the colours on the same page (scripts: ${hasJavaScript})`, async () => {
      const running = await startOperatorPage();
      const visit = await startVisit(running, { hasJavaScript });
      await logInAsAdmin(running, visit);
      await visit.open('/operator/keys');
      const background = () => visit.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      const light = await background();
      await visit.follow('Dark');
      expect(await background()).not.toBe(light);
      await visit.follow('한국어');
      expect(visit.path()).toBe('/operator/keys');
      expect(await visit.text('h1')).toBe('API 키');
      expect(await background()).not.toBe(light);
      await visit.follow('로그아웃');
      expect(await visit.text()).toContain('로그아웃했습니다.');
    });
  }

  it('are explained when they come too late', async () => {
    const running = await startOperatorPage({
      actions: {
        replay: async () => 'gone',
        setKeyActive: async () => 'unknown',
        decide: async () => 'too-late',
        readShare: async () => undefined,
      },
    });
    const visit = await startVisit(running);
    await logInAsAdmin(running, visit);
    for (const [path, button, says] of [
      ['dead-letters', 'Replay: ea12', 'The message can no longer be answered'],
      ['keys', 'Turn off: sk-ant-…9f3A', 'This key no longer exists.'],
      ['approvals', 'Deny: set_reminder, p-3f9a1c', 'It has already been decided, or it has expired.'],
      ['shares', 'Read: p-77b0e2', 'This conversation is no longer shared.'],
    ] as const) {
      await visit.open(`/operator/${path}`);
      await visit.click(button);
      await visit.follow('Yes, do it');
      expect(await visit.text('main')).toContain(says);
    }
  });

  it('do not offer decisions to the token, and let nobody decide twice by a double click', async () => {
    const running = await startOperatorPage();
    const visit = await startVisit(running);
    await visit.logIn();
    await visit.open('/operator/approvals');
    expect(await visit.text('main')).toContain('for approvers only');
    expect(await visit.evaluate("document.querySelectorAll('main form').length")).toBe(0);
    running.done.length = 0;
    await visit.open('/operator/dead-letters');
    await visit.click('Replay: ea12');
    const yes = await visit.page.$('dialog .danger');
    await Promise.all([visit.page.waitForNavigation(), yes?.click({ count: 2 })]);
    expect(running.done).toHaveLength(1);
  });
});
