import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startFakeDiscord } from '#test/fakes/discord/server.ts';
import { startFakeSlack } from '#test/fakes/slack/server.ts';
import { temporaryDir } from '#test/support/database.ts';
import { startLiveMarket } from '#test/support/live-market.ts';
import { runDoctor, spawnDoctor } from '#test/support/run-doctor.ts';
import { openFakeProxy } from '#test/support/use-fake-proxy.ts';

it('npm run doctor names the proxy without its password, asks through it, and only the health port directly', async () => {
  const [discord, slack, market] = [
    await startFakeDiscord(),
    await startFakeSlack(),
    await startLiveMarket(),
  ];
  const proxy = await openFakeProxy({ login: 'bot:geheim-proxy-5555' });
  const health = createServer((_request, response) => void response.end('{"status":"ok"}'));
  health.listen(0, '127.0.0.1');
  await once(health, 'listening');
  onTestFinished(async () => {
    health.closeAllConnections();
    health.close();
    await Promise.all([discord.close(), slack.close()]);
  });
  const { port } = health.address() as AddressInfo;
  const env = {
    ...market.env,
    DISCORD_BOT_TOKEN: discord.token,
    DISCORD_API_URL: discord.apiUrl,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    FINCLAW_HTTP_PORT: String(port),
    FINCLAW_DATA_DIR: temporaryDir(),
    HTTPS_PROXY: proxy.url,
    http_proxy: proxy.url,
  };
  const { output, errors } = await spawnDoctor(env, temporaryDir());
  expect(output).toContain(`✔ Outbound connections go through the proxy 127.0.0.1:${proxy.port}\n`);
  expect(output).toContain('✔ Discord: the token is that of');
  expect(output).toMatch(/✔ Slack: all \d+ scopes are granted/);
  expect(output).toContain('✔ Market data: Yahoo Finance answers');
  expect(output, 'it was asked').toContain(`port ${port} is taken by a FinClaw with another data directory`);
  expect(output + errors).not.toContain('geheim-proxy');
  const asked = new Set(proxy.history.map(({ target }) => target));
  expect(asked).toEqual(
    new Set(
      [discord.apiUrl, slack.apiUrl, market.yahoo.url, market.upbit.url].map((url) => new URL(url).host),
    ),
  );

  await proxy.goDown();
  const offline = { HTTPS_PROXY: proxy.url, FINCLAW_DATA_DIR: temporaryDir() };
  const { output: without, code } = await runDoctor(offline, temporaryDir());
  expect(code).toBe(1);
  expect(without).toContain(
    `✖ Outbound connections go through the proxy 127.0.0.1:${proxy.port}, which cannot be reached (ECONNREFUSED)`,
  );
});
