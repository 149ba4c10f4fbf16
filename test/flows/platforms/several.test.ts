import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '#test/support/database.ts';
import { openDiscord, type DiscordPlatform } from '#test/support/platforms/discord.ts';
import type { ConnectOptions, Platform } from '#test/support/platforms/driver.ts';
import { openSlack, type SlackPlatform } from '#test/support/platforms/slack.ts';
import { type Bot, type BotOptions, ECHO, seesOn, startBot } from '#test/support/platforms/talk.ts';

/** With what the health check of the container ends. */
const healthOf = async (port: string): Promise<number | null> => {
  const check = join(import.meta.dirname, '../../../bin/healthcheck.js');
  const child = spawn(process.execPath, [check], { env: { FINCLAW_HTTP_PORT: port } });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
};

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

const bothPlatforms = async (
  connect: ConnectOptions = {},
): Promise<{
  readonly discord: DiscordPlatform;
  readonly slack: SlackPlatform;
}> => {
  const [discord, slack] = [await openDiscord({}, connect), await openSlack({}, connect)];
  open.push(discord.close, slack.close);
  return { discord, slack };
};

const startOn = async (platforms: readonly Platform[], options?: BotOptions): Promise<Bot> => {
  const bot = await startBot(platforms, options);
  open.push(bot.close);
  return bot;
};

/** Somebody asks, and is answered. */
const converse = async (platform: Platform, words: string): Promise<void> => {
  const ann = platform.addPerson('ann');
  platform.say(ann, platform.direct(ann), words);
  await seesOn(platform)(ann, platform.direct(ann), `${ECHO}${words}`);
};

describe('a bot on two platforms', () => {
  it('answers each where it was asked', async () => {
    const { discord, slack } = await bothPlatforms();
    const { claude } = await startOn([discord, slack]);
    await Promise.all([converse(discord, 'on discord'), converse(slack, 'on slack')]);
    expect(claude.history).toHaveLength(2);
  });

  it('starts with the one that is there, and the other is answered as soon as it is', async () => {
    const { discord, slack } = await bothPlatforms({ startWaitMs: 200 });
    discord.fake.faults.setDown(true);
    await startOn([discord, slack]);
    await converse(slack, 'while Discord is away');
    discord.fake.faults.setDown(false);
    await discord.fake.until(() => discord.fake.gateway.isReady);
    await converse(discord, 'Discord is back');
  });

  it('starts without Slack too, and finds it later', async () => {
    const { discord, slack } = await bothPlatforms({ startWaitMs: 200 });
    slack.fake.sockets.refuse('internal_error');
    await startOn([discord, slack]);
    await converse(discord, 'while Slack is away');
    slack.fake.sockets.refuse(undefined);
    await slack.fake.until(() => slack.fake.sockets.open.length > 0);
    await converse(slack, 'Slack is back');
  });

  it.each([
    ['Discord', { DISCORD_BOT_TOKEN: 'wrong' }, 'Reset Token'],
    ['Slack', { SLACK_BOT_TOKEN: 'xoxb-wrong' }, 'SLACK_BOT_TOKEN'],
  ])(
    'goes on with the other one where the token of %s is wrong, is healthy, and says what is down and what to do',
    async (...row) => {
      const [name, env, advice] = row;
      const { discord, slack } = await bothPlatforms();
      const port = String(await freePort());
      const { log } = await startOn([discord, slack], { env: { ...env, FINCLAW_HTTP_PORT: port } });
      await converse(name === 'Discord' ? slack : discord, 'hello');
      const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
      const down = expect.stringMatching(new RegExp(`^down: .*${advice}`));
      expect({ status: ready.status, body: await ready.json() }).toEqual({
        status: 200,
        body: {
          ok: true,
          channels: { discord: 'connected', slack: 'connected', [name.toLowerCase()]: down },
          database: true,
        },
      });
      expect(await healthOf(port)).toBe(0);
      expect(log.filter((line) => line.includes('"level":"error"') && line.includes(advice))).toHaveLength(1);
    },
  );

  it('does not start at all where it has no other, and says what to do', async () => {
    const { discord } = await bothPlatforms();
    await expect(startOn([discord], { env: { DISCORD_BOT_TOKEN: 'wrong' } })).rejects.toThrow('Reset Token');
  });
});
