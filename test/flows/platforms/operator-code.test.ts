import { afterEach, expect, it } from 'vitest';
import { query } from '#test/flows/gateway-support.ts';
import { freePort } from '#test/support/database.ts';
import { openDiscord } from '#test/support/platforms/discord.ts';
import { type Bot, startBot } from '#test/support/platforms/talk.ts';
import { twoServers } from './cases/discord-servers.ts';

const CODE = /`([0-9A-Z]{4}-[0-9A-Z]{4})`/;

let opened = new AsyncDisposableStack();
afterEach(async () => {
  await opened.disposeAsync();
  opened = new AsyncDisposableStack();
});

/** The status of a page of the operator. */
const visit = async (origin: string, cookie: string): Promise<number> =>
  (await fetch(`${origin}/operator/audit`, { redirect: 'manual', headers: { cookie } })).status;

/** The cookie after a login with this code. */
const cookieFor = async (origin: string, code: string): Promise<string> => {
  const posted = await fetch(`${origin}/operator/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ secret: code }),
  });
  const [cookie = ''] = posted.headers.getSetCookie();
  return cookie.split(';', 1)[0] ?? '';
};

const logIn = async (origin: string, code: string): Promise<number> =>
  visit(origin, await cookieFor(origin, code));

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

it('the session of the owner ends when Discord names somebody else, which is asked anew after a start', async () => {
  const owner = { userId: '1' };
  const platform = await openDiscord({ owner });
  opened.defer(() => platform.close());
  const { fake } = platform;
  const person = platform.addPerson('ann');
  owner.userId = person.id;
  const room = platform.addRoom('lobby');
  const port = await freePort();
  const config = { admins: { users: [] } };
  const bot: Bot = await startBot([platform], { config, env: { FINCLAW_HTTP_PORT: String(port) } });
  opened.defer(() => bot.close());
  await fake.until(() => platform.isSetUp());
  platform.call(person, room, 'dashboard');
  const direct = platform.direct(person);
  await fake.until(() => fake.messagesIn(direct.id).length > 0);
  const [, code = ''] = CODE.exec(fake.messagesIn(direct.id)[0]?.content ?? '') ?? [];
  const origin = `http://127.0.0.1:${port}`;
  const cookie = await cookieFor(origin, code);
  expect(await visit(origin, cookie)).toBe(200);
  await bot.stop();
  await bot.start();
  expect(await visit(origin, cookie)).toBe(200);
  await bot.stop();
  owner.userId = '2';
  await bot.start();
  expect(await visit(origin, cookie)).toBe(303);
});
