import { expect, it } from 'vitest';
import { ADMIN_PERSON, startOperatorPage, TOKEN } from '#test/operator/running-page.ts';
import { describeInBrowser, startVisit } from './support/visit.ts';

/** A login that fails is an error in the console of the browser. */
const REFUSED = /status of (?:401|429)/;

describeInBrowser('logging in with a browser', () => {
  for (const hasJavaScript of [true, false]) {
    it(`takes a code once, and logs out again (scripts: ${hasJavaScript})`, async () => {
      const running = await startOperatorPage();
      const visit = await startVisit(running, { hasJavaScript, expected: REFUSED });
      await visit.open('/operator');
      expect(visit.path()).toBe('/operator/login');

      const { code } = (await running.access.issueCode(ADMIN_PERSON, [])) ?? { code: '' };
      await visit.logIn(code.toLowerCase().replace('-', ' '));
      expect(visit.path()).toBe('/operator');
      expect(await visit.text('h1')).toBe('Overview');
      expect(await visit.text('header')).toContain('Logged in as Ann (discord)');

      await visit.follow('Log out');
      expect(await visit.text()).toContain('You are logged out.');
      await visit.open('/operator/usage');
      expect(visit.path()).toBe('/operator/login');

      await visit.logIn(code);
      expect(await visit.text('[role=alert]')).toContain('the code was used or has expired');
    });
  }

  it('takes the token, and ends the session in every browser at once', async () => {
    const running = await startOperatorPage();
    const [here, there] = [await startVisit(running), await startVisit(running)];
    for (const visit of [here, there]) {
      await visit.logIn();
      expect(await visit.text('header')).toContain('Logged in with the token');
    }
    await here.follow('Log out everywhere');
    expect(await here.text()).toContain('You are logged out.');
    await there.follow('Usage and cost', 'link');
    expect(there.path()).toBe('/operator/login');
  });

  it('says how long to wait after wrong tries, and lets a code in all the same', async () => {
    const running = await startOperatorPage();
    const visit = await startVisit(running, { expected: REFUSED });
    for (let tries = 0; tries < 5; tries += 1) {
      await visit.logIn(`wrong-${TOKEN}`);
      expect(await visit.text('[role=alert]')).toContain('The code or token is wrong');
      // What was typed is not shown again.
      expect(await visit.evaluate("document.querySelector('#secret').value")).toBe('');
    }
    await visit.logIn();
    expect(await visit.text('[role=alert]')).toContain('The token works again in 60 seconds.');
    const { code } = (await running.access.issueCode(ADMIN_PERSON, [])) ?? { code: '' };
    await visit.logIn(code);
    expect(await visit.text('h1')).toBe('Overview');
  });

  it('asks for something before it asks the server', async () => {
    const running = await startOperatorPage();
    const visit = await startVisit(running);
    await visit.open('/operator/login');
    await visit.click('Log in');
    expect(await visit.evaluate("document.querySelector('#secret').validity.valueMissing")).toBe(true);
    expect(await visit.evaluate("document.querySelector('#secret').type")).toBe('password');
  });
});
