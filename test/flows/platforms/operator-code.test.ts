import { afterEach, expect, it } from 'vitest';
import { query } from '#test/flows/gateway-support.ts';
import { freePort } from '#test/support/database.ts';
import { openDiscord } from '#test/support/platforms/discord.ts';
import { type Bot, startBot } from '#test/support/platforms/talk.ts';
import { twoServers } from './cases/discord-servers.ts';

const CODE = /`([0-9A-Z]{4}-[0-9A-Z]{4})`/;

const opened = new AsyncDisposableStack();
afterEach(() => opened.disposeAsync());

/** The status of a page of the operator, after a login with this code. */
const logIn = async (origin: string, code: string): Promise<number> => {
  const posted = await fetch(`${origin}/operator/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ secret: code }),
  });
  const [cookie = ''] = posted.headers.getSetCookie();
  const page = await fetch(`${origin}/operator/audit`, {
    redirect: 'manual',
    headers: { cookie: cookie.split(';', 1)[0] ?? '' },
  });
  return page.status;
};

it('an administrator by a role of a server gets a code in their direct chat, logs in with it, and no row keeps it', async () => {
  const platform = await openDiscord();
  opened.defer(() => platform.close());
  const { ours, theirs, config } = twoServers(platform);
  const port = await freePort();
  const bot: Bot = await startBot([platform], { config, env: { FINCLAW_HTTP_PORT: String(port) } });
  opened.defer(() => bot.close());
  const { fake } = platform;
  await fake.until(() => platform.isSetUp());

  const call = fake.command(ours.moderator, ours.room, 'dashboard', {});
  const { content } = await call.answered();
  expect(content).toContain(`http://127.0.0.1:${port}/operator`);
  expect(content).not.toMatch(CODE);
  const direct = fake.directChannel(ours.moderator);
  const [sent = ''] = fake.messagesIn(direct.id).map((message) => message.content);
  const [, code = ''] = CODE.exec(sent) ?? [];
  expect(code).not.toBe('');
  expect(await logIn(`http://127.0.0.1:${port}`, code)).toBe(200);
  expect(await logIn(`http://127.0.0.1:${port}`, code)).toBe(303);

  const refused = await fake.command(theirs.moderator, theirs.room, 'dashboard', {}).answered();
  expect(refused.content).toContain('is for administrators');
  expect(fake.messagesIn(fake.directChannel(theirs.moderator).id)).toEqual([]);

  await bot.stop();
  const answers = JSON.stringify(query(bot.dataDir, 'select payload from outbox'));
  expect(answers).toContain('/operator');
  expect(answers).not.toContain(code);
});
