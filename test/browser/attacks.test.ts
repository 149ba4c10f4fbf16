import { expect, it } from 'vitest';
import { operatorTexts, PAGE_IDS } from '#src/operator/texts.ts';
import { ADMIN_PERSON, startOperatorPage, TOKEN } from '#test/operator/running-page.ts';
import { REBOUND_NAME } from '#test/support/chromium.ts';
import { type OtherSite, startOtherSite } from './support/other-site.ts';
import { HOSTILE_TEXTS, hostileActions, hostileReports } from './support/reports.ts';
import { describeInBrowser, startVisit, type Visit } from './support/visit.ts';

const LETTER = '0199a000-0000-7000-8000-000000000000';
const { errors } = operatorTexts('en');
const COOKIE = 'finclaw_operator';

const startAttack = async () => {
  const running = await startOperatorPage();
  const other = await startOtherSite();
  const visit = await startVisit(running, {
    expected: new RegExp(
      `^${other.onThisMachine}|^${other.elsewhere}|^http://${REBOUND_NAME}|Failed to load|blocked|refused|violates|denied`,
      'i',
    ),
  });
  await visit.logIn((await running.access.issueCode(ADMIN_PERSON, []))?.code);
  running.done.length = 0;
  return { running, other, visit };
};

const isLoggedIn = async (visit: Visit): Promise<boolean> => {
  await visit.open('/operator');
  return visit.path() === '/operator';
};

const form = (action: string, fields: Readonly<Record<string, string>>): string =>
  `<form method="post" action="${action}">${Object.entries(fields)
    .map(([name, value]) => `<input name="${name}" value="${value}">`)
    .join('')}</form><script>document.forms[0].submit()</script>`;

const sites = (other: OtherSite): readonly string[] => [other.onThisMachine, other.elsewhere];

const secretOf = async (visit: Visit): Promise<string> =>
  (await visit.page.browserContext().cookies()).find(({ name }) => name === COOKIE)?.value ?? '';

describeInBrowser('attacks on the operator page', () => {
  it('by forms of another site do nothing', async () => {
    const { running, other, visit } = await startAttack();
    const replay = { action: 'replay', id: LETTER, confirmed: 'yes' };
    for (const site of sites(other)) {
      for (const [path, fields] of [
        ['dead-letters', replay],
        ['dead-letters', { ...replay, 'form-token': '0'.repeat(64) }],
        ['logout', { everywhere: 'yes' }],
        ['preferences', { locale: 'ko' }],
        ['login', { secret: TOKEN }],
      ] as const) {
        other.serve(form(`${running.origin}/operator/${path}`, fields));
        await visit.page.goto(site);
        await visit.page.waitForFunction('location.pathname.startsWith("/operator")');
        expect([site, path, await visit.text('[role=alert]')]).toEqual([site, path, errors.origin]);
      }
      expect(running.done).toEqual([]);
      expect(await isLoggedIn(visit)).toBe(true);
      expect(await visit.text('h1')).toBe('Overview');
    }
  });

  it('by scripts of another site neither do nor learn anything', async () => {
    const { running, other, visit } = await startAttack();
    for (const site of sites(other)) {
      other.serve('');
      await visit.page.goto(site);
      const outcomes = await visit.evaluate<Record<string, unknown>>(`(async () => {
        const to = ${JSON.stringify(`${running.origin}/operator`)};
        const failed = () => 'failed';
        const post = { method: 'POST', credentials: 'include', body: new URLSearchParams(${JSON.stringify({ action: 'replay', id: LETTER, confirmed: 'yes' })}) };
        const loaded = (tag, from) => new Promise((resolve) => {
          const element = document.createElement(tag);
          element.onload = () => resolve('loaded');
          element.onerror = () => resolve('failed');
          element.src = from;
          document.body.append(element);
        });
        const stream = () => new Promise((resolve) => {
          const source = new EventSource(to + '/events?page=overview', { withCredentials: true });
          source.onopen = () => resolve('open');
          source.onerror = () => { source.close(); resolve('failed'); };
        });
        return {
          read: await fetch(to, { credentials: 'include' }).then((response) => response.text(), failed),
          post: await fetch(to + '/dead-letters', post).then((response) => response.text(), failed),
          blind: await fetch(to + '/dead-letters', { ...post, mode: 'no-cors' }).then(() => 'sent', failed),
          beacon: navigator.sendBeacon(to + '/dead-letters', post.body),
          script: await loaded('script', to + '/assets/page.js'),
          image: await loaded('img', to + '/charts/cost.svg'),
          stream: await stream(),
        };
      })()`);
      expect(outcomes).toMatchObject({
        read: 'failed',
        post: 'failed',
        script: 'failed',
        image: 'failed',
        stream: 'failed',
      });
      expect(running.done).toEqual([]);
    }
    expect(other.heard.filter((cookie) => cookie.includes(COOKIE))).toEqual([]);
    expect(await isLoggedIn(visit)).toBe(true);
  });

  it('by a name that points to this machine see nothing', async () => {
    const { running, visit } = await startAttack();
    const response = await visit.page.goto(`http://${REBOUND_NAME}:${running.port}/operator/login`);
    expect(response?.status()).toBe(421);
    expect(await visit.evaluate('document.querySelectorAll("form").length')).toBe(0);
    expect(
      await visit.evaluate(
        `fetch('/operator/login', { method: 'POST', body: new URLSearchParams({ secret: ${JSON.stringify(TOKEN)} }) }).then((answer) => answer.status)`,
      ),
    ).toBe(421);
    expect(await secretOf(visit)).not.toBe('');
  });

  it('by a frame show nothing to click on', async () => {
    const { running, other, visit } = await startAttack();
    other.serve(`<iframe src="${running.origin}/operator/dead-letters" width="600" height="600"></iframe>`);
    for (const site of sites(other)) {
      await visit.page.goto(site);
      const frame = visit.page.frames().find((one) => one !== visit.page.mainFrame());
      expect(frame?.url()).toMatch(/^chrome-error:/);
    }
  });

  it('by stored texts run no script, even without the policy of the page', async () => {
    const running = await startOperatorPage({ reports: hostileReports, actions: hostileActions });
    const visit = await startVisit(running, { width: 1_024 });
    await visit.page.setBypassCSP(true);
    await visit.logIn((await running.access.issueCode(ADMIN_PERSON, []))?.code);
    for (const id of PAGE_IDS) {
      await visit.open(id === 'overview' ? '/operator' : `/operator/${id}`);
      await visit.evaluate(
        "document.querySelectorAll('main *').forEach((one) => { one.focus?.(); one.dispatchEvent(new MouseEvent('mouseover', { bubbles: true })); })",
      );
      if (id !== 'figures')
        expect([id, await visit.text('main')]).toEqual([id, expect.stringContaining(HOSTILE_TEXTS[0])]);
    }
    await visit.open(
      `/operator/settings?find=${encodeURIComponent(HOSTILE_TEXTS[1])}&origin=${encodeURIComponent(HOSTILE_TEXTS[0])}`,
    );
    expect(await visit.evaluate("document.querySelector('#find').value")).toBe(HOSTILE_TEXTS[1]);
    await visit.open('/operator/shares');
    await (await visit.page.$('main button'))?.click();
    await visit.follow('Yes, do it');
    expect(await visit.text('.message')).toContain(HOSTILE_TEXTS[4]);
    expect(visit.attacks).toEqual([]);
    expect(running.done.filter(([what]) => what !== 'recordLogin')).toEqual([]);
  });

  it('by a token or code in an address are refused, and do not show it again', async () => {
    const running = await startOperatorPage();
    const visit = await startVisit(running, { expected: /status of 400/ });
    for (const name of ['token', 'code', 'secret', 'password']) {
      await visit.open(`/operator/login?${name}=${TOKEN}`);
      expect(await visit.text('[role=alert]')).toBe(errors.address);
      expect(await visit.evaluate('document.documentElement.outerHTML')).not.toContain(TOKEN);
    }
    expect(await isLoggedIn(visit)).toBe(false);
  });

  it('by scripts cannot read the session', async () => {
    const { visit } = await startAttack();
    expect(await visit.evaluate('document.cookie')).toBe('');
    expect(await visit.evaluate('window.cookieStore?.getAll() ?? []')).toEqual([]);
    expect(await visit.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
    expect(await visit.page.browserContext().cookies()).toEqual([
      expect.objectContaining({ name: COOKIE, httpOnly: true, sameSite: 'Strict', path: '/operator' }),
    ]);
  });

  it('by a session that was planted before the login come to nothing', async () => {
    const running = await startOperatorPage();
    const [victim, attacker] = [await startVisit(running), await startVisit(running)];
    const planted = { name: COOKIE, value: 'planted', url: `${running.origin}/operator` };
    const plant = (visit: Visit) =>
      visit.page.browserContext().setCookie({ ...planted, domain: '127.0.0.1', path: '/operator' });
    await plant(victim);
    await victim.logIn();
    const first = await secretOf(victim);
    expect(first).toMatch(/^[\w-]{43}$/);
    await plant(attacker);
    expect(await isLoggedIn(attacker)).toBe(false);
    await victim.follow('Log out');
    await victim.logIn();
    expect(await secretOf(victim)).not.toBe(first);
    // The session of before is over, also for those who kept its cookie.
    await attacker.page
      .browserContext()
      .setCookie({ ...planted, value: first, domain: '127.0.0.1', path: '/operator' });
    expect(await isLoggedIn(attacker)).toBe(false);
  });

  it('by forms that somebody changed lead nowhere else, and do nothing without their token', async () => {
    const { running, visit } = await startAttack();
    for (const back of [
      `http://${REBOUND_NAME}/`,
      `//${REBOUND_NAME}/`,
      '/operator/../../x',
      '/operator\\\\evil',
      'javascript:attacked(1)',
    ]) {
      await visit.open('/operator/usage');
      await visit.evaluate(`document.querySelector('[name=back]').value = ${JSON.stringify(back)}`);
      await visit.follow('Light');
      expect(visit.path()).toBe('/operator');
    }
    for (const path of [
      `/operator//${REBOUND_NAME}`,
      `/operator/%5C${REBOUND_NAME}`,
      `//${REBOUND_NAME}/operator`,
    ]) {
      await visit.page.goto(`${running.origin}${path}`);
      expect(new URL(visit.page.url()).origin).toBe(running.origin);
    }
    await visit.open('/operator/dead-letters');
    await visit.evaluate(
      "document.querySelectorAll('main [name=form-token]').forEach((one) => one.remove())",
    );
    await visit.click('Replay: ea12');
    await visit.follow('Yes, do it');
    expect(await visit.text('[role=alert]')).toBe(errors.formToken);
    expect(running.done).toEqual([]);
  });

  it('by the Back button after logging out see nothing', async () => {
    const { visit } = await startAttack();
    await visit.open('/operator/dead-letters');
    await visit.open('/operator/usage');
    await visit.follow('Log out');
    for (let steps = 0; steps < 3; steps += 1) {
      await visit.page.goBack();
      expect(await visit.text()).not.toMatch(/claude|ea12|discord:42/);
      expect(await visit.text()).toMatch(/Log in/);
    }
  });

  it('by a link of another site show the login, from which the session goes on', async () => {
    const { running, other, visit } = await startAttack();
    other.serve(`<a href="${running.origin}/operator/usage">Look</a>`);
    await visit.page.goto(other.elsewhere);
    await visit.follow('Look', 'link');
    expect(visit.path()).toBe('/operator/login');
    await visit.follow('Logged in already? Open the overview', 'link');
    expect(await visit.text('h1')).toBe('Overview');
  });
});
