import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { listenForControl } from '#src/platform/net/control-socket.ts';
import { startFakeDiscord } from '#test/fakes/discord/server.ts';
import { startFakeSlack } from '#test/fakes/slack/server.ts';
import { freePort, temporaryDir } from '#test/support/database.ts';
import { runDoctor } from '#test/support/run-doctor.ts';

it('npm run doctor asks both platforms what they think of the tokens, and shows none', async () => {
  const discord = await startFakeDiscord();
  const slack = await startFakeSlack();
  onTestFinished(async () => {
    await Promise.all([discord.close(), slack.close()]);
  });
  const env = {
    DISCORD_BOT_TOKEN: discord.token,
    DISCORD_API_URL: discord.apiUrl,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
  };
  const well = await runDoctor({ ...env, FINCLAW_DATA_DIR: temporaryDir() }, temporaryDir());
  expect(well.code).toBe(0);
  expect(well.output).toContain('✔ Discord: the token is that of');
  expect(well.output).toContain(`https://discord.com/oauth2/authorize?client_id=${discord.applicationId}`);
  expect(well.output).toMatch(/✔ Slack: all \d+ scopes are granted/);
  expect(well.output).toContain('✔ Budgets a day: $2 for each person, $20 in all');

  const unprivileged = await startFakeDiscord({ grantedIntents: [] });
  onTestFinished(() => unprivileged.close());
  const without = { DISCORD_BOT_TOKEN: unprivileged.token, DISCORD_API_URL: unprivileged.apiUrl };
  const advised = await runDoctor({ ...without, FINCLAW_DATA_DIR: temporaryDir() }, temporaryDir());
  expect(advised.output).toMatch(/^• Discord: Message Content Intent is off, .* Switch it on at /m);
  expect(advised.code).toBe(0);

  const limits = { FINCLAW_USER_BUDGET_USD: '30', FINCLAW_DATA_DIR: temporaryDir() };
  const largeDir = temporaryDir();
  const local = { provider: 'openai', contextWindow: 32_000, maxOutputTokens: 4_000 };
  const free = { ...local, pricing: { inputPerMillion: 0, outputPerMillion: 0 } };
  const definitions = { 'qwen3:32b': local, 'llama4:8b': free };
  writeFileSync(join(largeDir, 'finclaw.config.json'), JSON.stringify({ models: { definitions } }));
  const { output: large } = await runDoctor({ ...env, ...limits }, largeDir);
  expect(large).toContain(
    '• models.definitions.qwen3:32b has no pricing: what it costs counts against no budget',
  );
  expect(large).not.toContain('llama4:8b has no pricing');
  expect(large).toContain('• FINCLAW_USER_BUDGET_USD ($30) is more than FINCLAW_DAILY_BUDGET_USD ($20)');
  const none = { ...limits, FINCLAW_USER_BUDGET_USD: 'none', FINCLAW_DAILY_BUDGET_USD: 'none' };
  const { output: unlimited } = await runDoctor({ ...env, ...none }, temporaryDir());
  expect(unlimited).toContain('• FINCLAW_USER_BUDGET_USD is none');
  expect(unlimited).toContain('• FINCLAW_DAILY_BUDGET_USD is none');

  const wrong = { ...env, DISCORD_BOT_TOKEN: 'wrong.token', SLACK_BOT_TOKEN: 'xoxb-wrong' };
  const ill = await runDoctor({ ...wrong, FINCLAW_DATA_DIR: temporaryDir() }, temporaryDir());
  expect(ill.code).toBe(1);
  expect(ill.output.match(/^✖ .+/gm)).toEqual([
    expect.stringContaining('DISCORD_BOT_TOKEN'),
    expect.stringContaining('SLACK_BOT_TOKEN'),
  ]);
  for (const secret of [
    ...Object.values(env).filter((each) => !each.startsWith('http')),
    'wrong.token',
    'xoxb-wrong',
  ])
    expect(well.output + ill.output).not.toContain(secret);
});

it('npm run doctor says of the port of Slack whether the bot has it, another program, or one beside Discord', async () => {
  const [discord, slack] = [await startFakeDiscord(), await startFakeSlack()];
  const port = await freePort();
  const other = createServer().listen(port, '127.0.0.1');
  await once(other, 'listening');
  const dataDir = temporaryDir();
  onTestFinished(async () => {
    other.close();
    await Promise.all([discord.close(), slack.close()]);
  });
  const env = {
    FINCLAW_DATA_DIR: dataDir,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_API_URL: slack.apiUrl,
    SLACK_SIGNING_SECRET: 'secret',
    SLACK_PORT: String(port),
  };
  const taken = `Port ${port} is already in use. Set SLACK_PORT to a free port.`;
  const alone = await runDoctor(env, temporaryDir());
  expect(alone.output).toContain(`✖ ${taken}`);
  expect(alone.code).toBe(1);
  const withDiscord = { ...env, DISCORD_BOT_TOKEN: discord.token, DISCORD_API_URL: discord.apiUrl };
  const beside = await runDoctor(withDiscord, temporaryDir());
  expect(beside.output).toContain(`• slack could not start: ${taken}`);
  expect(beside.code).toBe(0);
  const bot = await listenForControl(dataDir, async () => undefined);
  const running = await runDoctor(env, temporaryDir());
  await bot.close();
  expect(running.output).toContain(`✔ The running FinClaw listens on port ${port} for slack`);
  expect(running.code).toBe(0);
});
