import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { asId, type ChannelId, type UserId } from '#src/kernel/ids.ts';
import { addressClass } from '#src/operator/login-limit.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { everyRow } from '#test/support/every-row.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { ADMIN_PERSON, type RunningPage, startOperatorPage, TOKEN, visitor } from './running-page.ts';

const codeFrom = async ({ access }: RunningPage): Promise<string> =>
  (await access.issueCode(ADMIN_PERSON, ['role']))?.code ?? '';

const isIn = async (browser: ReturnType<typeof visitor>): Promise<boolean> =>
  (await browser.get('/operator')).status === 200;

const fails = async (): Promise<never> => {
  throw new Error('the disk is full');
};

describe('logging in to the operator page', () => {
  it('shows nothing to somebody who is not logged in', async () => {
    const page = await startOperatorPage();
    const me = visitor(page);
    for (const path of ['', '/usage', '/logs', '/charts/cost.svg', '/nothing']) {
      const response = await me.get(`/operator${path}`);
      expect(response.status).toBe(303);
      expect(response.headers.get('location')).toBe('/operator/login');
    }
    expect(await me.text('/operator/login')).toContain('Code or token');
  });

  it('opens with the token, which the audit log learns of first', async () => {
    const page = await startOperatorPage();
    const me = visitor(page);
    const login = await me.logIn();
    expect([login.status, login.headers.get('location')]).toEqual([303, '/operator']);
    const [cookie = ''] = login.headers.getSetCookie();
    expect(cookie).toMatch(
      /^finclaw_operator=[\w-]{43}; Max-Age=43200; Path=\/operator; HttpOnly; SameSite=Strict$/,
    );
    expect(await isIn(me)).toBe(true);
    expect(page.done).toEqual([['recordLogin', { kind: 'token' }]]);
  });

  it('lets nobody in whom the audit log could not name', async () => {
    const page = await startOperatorPage({ actions: { recordLogin: fails } });
    const me = visitor(page);
    expect((await me.logIn()).status).toBe(500);
    expect(await page.storage.db.selectFrom('operator_sessions').selectAll().execute()).toEqual([]);
  });

  it('opens with a code from /dashboard, typed in any way, and once only', async () => {
    const page = await startOperatorPage();
    const code = await codeFrom(page);
    expect(code).toMatch(/^[A-HJKMNP-Z2-9]{4}-[A-HJKMNP-Z2-9]{4}$/);
    const [me, other] = [visitor(page), visitor(page)];
    expect((await me.logIn(` ${code.toLowerCase().replace('-', ' ')} `)).status).toBe(303);
    expect((await other.logIn(code)).status).toBe(401);
    expect([await isIn(me), await isIn(other)]).toEqual([true, false]);
    expect(page.done).toEqual([['recordLogin', { kind: 'admin', person: ADMIN_PERSON, roles: ['role'] }]]);
  });

  it('names the person at the terminal by the place of the code', async () => {
    const terminal = { channelId: asId<ChannelId>('console'), userId: asId<UserId>('local') };
    const admins = new Set(['local']);
    const page = await startOperatorPage({ admins, reports: { nameOf: async () => 'you' } });
    const me = visitor(page);
    await me.logIn((await page.access.issueCode(terminal, []))?.code);
    expect(await me.text('/operator')).toContain('Logged in with a code from the terminal');
    me.jar.set('finclaw_locale', 'ko');
    expect(await me.text('/operator')).toContain('터미널에서 받은 코드로 로그인');
  });

  it('gives a code to one of many who enter it at the same time', async () => {
    const page = await startOperatorPage();
    const code = await codeFrom(page);
    const tries = await Promise.all(Array.from({ length: 8 }, () => visitor(page).logIn(code)));
    expect(tries.filter(({ status }) => status === 303)).toHaveLength(1);
  });

  it('refuses a code after two minutes, and one that a newer code replaced', async () => {
    const clock = new ManualClock();
    const page = await startOperatorPage({ clock });
    const first = await codeFrom(page);
    const second = await codeFrom(page);
    expect((await visitor(page).logIn(first)).status).toBe(401);
    await clock.advance(120_000);
    expect((await visitor(page).logIn(second)).status).toBe(401);
    expect((await visitor(page).logIn(await codeFrom(page))).status).toBe(303);
  });

  it('stores neither a code nor a session so that it could be used', async () => {
    const page = await startOperatorPage();
    const code = await codeFrom(page);
    const me = visitor(page);
    const codes = await page.storage.db.selectFrom('operator_codes').selectAll().execute();
    await me.logIn(code);
    const sessions = await page.storage.db.selectFrom('operator_sessions').selectAll().execute();
    const stored = JSON.stringify([codes, sessions]);
    expect([codes.length, sessions.length]).toEqual([1, 1]);
    for (const secret of [code, code.replace('-', ''), me.jar.get('finclaw_operator') ?? ''])
      expect(stored).not.toContain(secret);
  });

  it('logs wrong tries with the address, but not what was typed, and none of those beyond the limit', async () => {
    const page = await startOperatorPage();
    for (let count = 0; count < 10; count += 1) await visitor(page).logIn('nearly-the-token');
    const warnings = page.records().filter(({ message }) => message.includes('wrong code or token'));
    expect(warnings).toHaveLength(5);
    expect(JSON.stringify(warnings)).toContain('127.0.0.1');
    expect(JSON.stringify(warnings)).not.toContain('nearly-the-token');
  });

  it('refuses whatever is nearly right', async () => {
    const nearly = ['', ' ', 'ABCD-2345', 'x'.repeat(2_000), TOKEN.slice(0, -1), `${TOKEN}!`, '\0'];
    const page = await startOperatorPage();
    const clock = page.clock as ManualClock;
    for (const secret of nearly) {
      expect((await visitor(page).logIn(secret)).status).toBe(401);
      await clock.advance(60_000);
    }
    expect(page.done).toEqual([]);
  });

  it('refuses every token if none is set', async () => {
    const page = await startOperatorPage({ token: undefined });
    for (const secret of ['undefined', '', TOKEN])
      expect((await visitor(page).logIn(secret)).status).toBe(401);
  });

  it.each(['en', 'ko'])('speaks of no token if none is set, in %s', async (locale) => {
    const me = visitor(await startOperatorPage({ token: undefined }));
    me.jar.set('finclaw_locale', locale);
    const bodies = [await me.text('/operator/login')];
    let last = 0;
    while (last !== 429) {
      const response = await me.logIn('nearly-a-code');
      last = response.status;
      bodies.push(await response.text());
    }
    for (const body of bodies) expect(body).not.toMatch(/token|토큰/i);
    expect(bodies.at(-1)).toContain('/dashboard');
  });

  it('tells administrators by a role where they get a code', async () => {
    const me = visitor(await startOperatorPage());
    expect(await me.text('/operator/login')).toContain(
      'in the server where a role makes you an administrator',
    );
    me.jar.set('finclaw_locale', 'ko');
    expect(await me.text('/operator/login')).toContain('그 역할이 있는 서버에서');
  });

  it('never takes a token or code from an address, and says so', async () => {
    const page = await startOperatorPage();
    for (const name of ['Token', 'token', 'code', 'secret']) {
      const response = await visitor(page).get(`/operator/login?${name}=${TOKEN}`);
      expect(response.status).toBe(400);
      const text = await response.text();
      expect(text).toContain('must not be part of an address');
      expect(text).not.toContain(TOKEN);
      expect(response.headers.getSetCookie()).toEqual([]);
    }
    const posted = await visitor(page).post(`/operator/login?secret=${TOKEN}`, {});
    expect(posted.status).toBe(400);
  });
});

describe('wrong tries', () => {
  it('are answered five times a minute; after 1,000 of them a code still works at once, and the token a minute later', async () => {
    const clock = new ManualClock();
    const page = await startOperatorPage({ clock });
    const stranger = visitor(page);
    const counts: Record<number, number> = {};
    for (let round = 0; round < 20; round += 1) {
      const tries = await Promise.all(
        Array.from({ length: 50 }, (_, index) => stranger.logIn(`wrong-${round}-${index}`)),
      );
      for (const { status, body } of tries) {
        await body?.cancel();
        counts[status] = (counts[status] ?? 0) + 1;
      }
    }
    expect(counts).toEqual({ 401: 5, 429: 995 });
    await clock.advance(1_000);
    const refused = await visitor(page).logIn(TOKEN);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '59']);
    expect((await visitor(page).logIn(await codeFrom(page))).status).toBe(303);
    await clock.advance(60_000);
    expect((await visitor(page).logIn(TOKEN)).status).toBe(303);
  });

  it('and other requests without a session are turned away in one line beyond 30 a second', async () => {
    const clock = new ManualClock();
    const page = await startOperatorPage({ clock });
    const [me, stranger] = [visitor(page), visitor(page)];
    await me.logIn();
    const ask = (index: number) =>
      index % 2 === 0 ? stranger.logIn(`wrong-${index}`) : stranger.get('/operator/login');
    const bodies = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => (await ask(index)).text()),
    );
    expect(bodies.filter((body) => body === 'Too many requests')).toHaveLength(71);
    expect(await isIn(me)).toBe(true);
    await clock.advance(1_000);
    expect((await stranger.get('/operator/login')).status).toBe(200);
  });

  it('are not counted for those who are right', async () => {
    const page = await startOperatorPage();
    for (let round = 0; round < 7; round += 1) expect((await visitor(page).logIn()).status).toBe(303);
  });

  everyRow([
    ['127.0.0.1', '127.0.0'],
    ['::ffff:10.1.2.3', '10.1.2'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['nonsense', ''],
  ])('of %s are counted for %s', (address, expected) => {
    expect(addressClass(address)).toBe(expected);
  });
});

describe('a session of the operator page', () => {
  it('ends after twelve hours', async () => {
    const clock = new ManualClock();
    const page = await startOperatorPage({ clock });
    const me = visitor(page);
    await me.logIn();
    await clock.advance(12 * 3_600_000 - 1);
    expect(await isIn(me)).toBe(true);
    await clock.advance(1);
    expect(await isIn(me)).toBe(false);
  });

  it('works on every process of the database, and ends on all of them', async () => {
    const { storage } = await sqliteStorage();
    const [one, two] = [await startOperatorPage({ storage }), await startOperatorPage({ storage })];
    const here = visitor(one);
    await here.logIn(await codeFrom(two));
    const there = visitor(two);
    for (const [name, value] of here.jar) there.jar.set(name, value);
    expect(await isIn(there)).toBe(true);
    await there.submit('/operator/logout', { everywhere: 'no' });
    expect(await isIn(here)).toBe(false);
  });

  it('ends by logging out, here or everywhere, and by /dashboard revoke', async () => {
    const page = await startOperatorPage();
    const browsers = [visitor(page), visitor(page), visitor(page), visitor(page)] as const;
    for (const browser of browsers) await browser.logIn(await codeFrom(page));
    const [first, second, third, fourth] = browsers;
    const answer = await first.submit('/operator/logout', { everywhere: 'no' });
    expect(await answer.text()).toContain('You are logged out');
    expect(await Promise.all(browsers.map(isIn))).toEqual([false, true, true, true]);
    await second.submit('/operator/logout', { everywhere: 'yes' });
    expect(await Promise.all(browsers.map(isIn))).toEqual([false, false, false, false]);
    const admin = { kind: 'admin', person: ADMIN_PERSON, roles: ['role'] };
    expect(page.done.filter(([what]) => what === 'recordLogout')).toEqual([
      ['recordLogout', admin, false],
      ['recordLogout', admin, true],
    ]);
    await third.logIn(await codeFrom(page));
    await fourth.logIn(TOKEN);
    const unused = await codeFrom(page);
    expect(await page.access.endSessions(ADMIN_PERSON)).toBe(1);
    expect(await Promise.all(browsers.map(isIn))).toEqual([false, false, false, true]);
    expect((await first.logIn(unused)).status).toBe(401);
  });

  it('ends for somebody who is no administrator any more', async () => {
    const admins = new Set(['42']);
    const page = await startOperatorPage({ admins });
    const [me, byToken] = [visitor(page), visitor(page)];
    await me.logIn(await codeFrom(page));
    await byToken.logIn(TOKEN);
    expect(await isIn(me)).toBe(true);
    admins.delete('42');
    expect([await isIn(me), await isIn(byToken)]).toEqual([false, true]);
  });

  it('that began with the token ends when the token is changed', async () => {
    const { storage } = await sqliteStorage();
    const before = await startOperatorPage({ storage });
    const me = visitor(before);
    await me.logIn();
    const after = await startOperatorPage({ storage, token: `${TOKEN}-new` });
    const same = visitor(after);
    for (const [name, value] of me.jar) same.jar.set(name, value);
    expect([await isIn(me), await isIn(same)]).toEqual([true, false]);
  });

  it('does not count the right token as a wrong try while the database refuses the session', async () => {
    const page = await startOperatorPage();
    const { logIn } = page.access;
    await page.storage.close();
    for (let tries = 0; tries < 8; tries += 1) await expect(logIn(TOKEN, '127.0.0.1')).rejects.toThrow(/./u);
  });

  it('logs nothing of a browser that goes away in the middle of a form', async () => {
    const page = await startOperatorPage();
    const form = { method: 'POST', path: '/operator/login', port: page.port };
    const headers = {
      origin: page.origin,
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': 100,
    };
    const sending = request({ ...form, headers });
    sending.on('error', () => undefined);
    sending.write('secret=half');
    await new Promise((resolve) => setTimeout(resolve, 50));
    sending.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await visitor(page).get('/operator/login')).status).toBe(200);
    expect(page.records()).toEqual([]);
  });

  it('says clearly that nobody can log in while the database is down', async () => {
    const page = await startOperatorPage();
    const me = visitor(page);
    await me.logIn();
    await page.storage.close();
    const { find } = page.access;
    let asked = 0;
    Object.assign(page.access, { find: (secret: string) => find(secret).finally(() => (asked += 1)) });
    const responses = [await me.get('/operator')];
    // It may wait seconds for the database each time.
    expect(asked).toBe(1);
    for (const response of [...responses, await me.logIn()]) {
      expect(response.status).toBe(503);
      const text = await response.text();
      expect(text).toContain('The database does not answer. Sessions are stored in it');
    }
    expect(page.records().some(({ message }) => message.includes('of the operator page failed'))).toBe(true);
  });
});

describe('behind a proxy', () => {
  const publicUrl = 'https://finclaw.example.com';

  it('keeps the session in a cookie that only this host can set, over https', async () => {
    const page = await startOperatorPage({ publicUrl });
    const login = await visitor(page).post('/operator/login', { secret: TOKEN }, { origin: publicUrl });
    const [cookie = ''] = login.headers.getSetCookie();
    expect(cookie).toMatch(
      /^__Host-finclaw=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
  });
});
