import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startFakeDiscord } from '#test/fakes/discord/server.ts';
import { startFakeSlack } from '#test/fakes/slack/server.ts';
import { temporaryDir } from '#test/support/database.ts';
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
