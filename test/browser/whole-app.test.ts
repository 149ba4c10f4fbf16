import { expect, it } from 'vitest';
import { dashboardTexts } from '#commands/admin/texts.ts';
import { PAGE_IDS } from '#src/operator/texts.ts';
import { query } from '#test/flows/gateway-support.ts';
import { freePort } from '#test/support/database.ts';
import { answer, type EngineApp, startEngineApp, until } from '#test/support/engine-app.ts';
import { describeInBrowser, startVisit } from './support/visit.ts';

const CODE = /`([0-9A-Z]{4}-[0-9A-Z]{4})`/;

/** It comes beside the answer. */
const codeIn = ({ channel }: EngineApp): string | undefined => CODE.exec(channel.texts.join('\n'))?.[1];

/** An app that ended while a message was in work that had brought the process down twice before. */
const crashedThreeTimes = async (words: string): Promise<EngineApp> => {
  const app = await startEngineApp();
  app.claude.reply({ kind: 'stall' });
  await app.send('ann', words);
  await until(() => app.claude.history.length === 1);
  await app.stop();
  query(app.dataDir, 'update inbox set attempts = 3');
  return app;
};

describeInBrowser('an administrator with a browser', () => {
  it('logs in by a code from a direct chat, and has a message answered that was given up', async () => {
    const before = await crashedThreeTimes('How is Apple?');
    const port = await freePort();
    const app = await startEngineApp({
      servers: before,
      dataDir: before.dataDir,
      env: { FINCLAW_HTTP_PORT: String(port) },
    });
    await app.channel.waitForSent(1);
    expect((await app.ask('ann', '/dashboard')).join('\n')).not.toMatch(CODE);
    const told = (await app.ask('boss', '/dashboard')).join('\n');
    expect(told).toContain(`http://127.0.0.1:${port}/operator`);
    const code = codeIn(app);

    const visit = await startVisit({ origin: `http://127.0.0.1:${port}` }, { hasToken: false });
    await visit.logIn(code);
    expect(await visit.text('header')).toContain('Logged in as Me (test)');
    expect(await visit.text('[data-live=channels]')).toContain('test connected');
    expect(await visit.text('[data-live=state]')).toContain('Messages given up 1');

    await visit.follow('Dead letters', 'link');
    expect(await visit.text('tbody')).toContain('The process ended again and again');
    // The words of the person are nowhere on the page.
    expect(await visit.text()).not.toContain('Apple');
    app.claude.reply(answer('Apple is fine.'));
    await (await visit.page.$('main button[value=replay]'))?.click();
    await visit.follow('Yes, do it');
    expect(await visit.text('main')).toContain('The message is being answered again.');
    await expect.poll(() => app.channel.texts).toContain('Apple is fine.');
    await visit.page.reload();
    expect(await visit.text('main')).toContain('None.');

    for (const id of PAGE_IDS) {
      await visit.open(id === 'overview' ? '/operator' : `/operator/${id}`);
      expect([id, await visit.text('main')]).toEqual([id, expect.not.stringContaining('Not available')]);
    }
    await visit.open('/operator/audit');
    expect(await visit.text('tbody')).toMatch(/answered again[^]*operator logged in/u);

    expect(await app.ask('boss', '/dashboard revoke')).toEqual([dashboardTexts('en').revoked({ count: 1 })]);
    await visit.follow('Keys', 'link');
    expect(visit.path()).toBe('/operator/login');
  });

  it('reads a conversation that somebody shares, which that person is told', async () => {
    const port = await freePort();
    const app = await startEngineApp({ env: { FINCLAW_HTTP_PORT: String(port) } });
    app.claude.reply(answer('I hope that you are well.'));
    await app.ask('ann', 'Hello there');
    await app.ask('ann', '/support share');
    await app.ask('boss', '/dashboard');
    const code = codeIn(app);
    const visit = await startVisit({ origin: `http://127.0.0.1:${port}` }, { hasToken: false });
    await visit.logIn(code);
    await visit.follow('Shared conversations', 'link');
    expect(await visit.text()).not.toContain('Hello there');
    await (await visit.page.$('main button[value=read]'))?.click();
    await visit.follow('Yes, do it');
    expect(await visit.text('main')).toContain('Hello there');
    expect(await visit.text('main')).toContain('I hope that you are well.');
    await expect
      .poll(() => app.channel.sent.findLast(({ target }) => target.chatId === 'ann')?.payload.text)
      .toContain('boss');

    await app.ask('ann', '/support revoke');
    await visit.open('/operator/shares');
    expect(await visit.text('main')).toContain('None.');
  });
});
