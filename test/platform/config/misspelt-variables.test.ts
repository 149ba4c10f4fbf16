import { describe, expect, it } from 'vitest';
import { CHANNELS } from '#channels/index.ts';
import { environmentSchema } from '#src/platform/config/environment.ts';
import { misspeltVariables } from '#src/platform/config/config.ts';

const KNOWN = Object.keys(environmentSchema(CHANNELS).shape);

describe('a misspelt variable', () => {
  it.each([
    ['DISCORD_TOKEN', 'DISCORD_BOT_TOKEN'],
    ['DISCORD_BOT_TOKN', 'DISCORD_BOT_TOKEN'],
    ['discord_bot_token', 'DISCORD_BOT_TOKEN'],
    ['SLACK_TOKEN', 'SLACK_BOT_TOKEN'],
    ['SLACK_SIGNING_SECERT', 'SLACK_SIGNING_SECRET'],
    ['ANTHROPIC_KEY', 'ANTHROPIC_API_KEY'],
    ['OPENAI_APIKEY', 'OPENAI_API_KEY'],
    ['DATABSE_URL', 'DATABASE_URL'],
  ])('is noticed where the right one is not set: %s is %s', (written, meant) => {
    expect(misspeltVariables({ [written]: 'geheim' }, KNOWN)).toEqual([
      `${written} is set, but not read: did you mean ${meant}?`,
    ]);
    expect(misspeltVariables({ [written]: 'geheim', [meant]: 'x' }, KNOWN)).toEqual([]);
  });

  it.each([
    ['FINCLAW_TIMEZONE', 'remove it, or see docs/configuration.md'],
    ['FINCLAW_DATADIR', 'did you mean FINCLAW_DATA_DIR?'],
    ['FINCLAW_DAILY_BUDGET', 'did you mean FINCLAW_DAILY_BUDGET_USD?'],
    ['FINCLAW_PORT', 'did you mean FINCLAW_HTTP_PORT?'],
    ['finclaw_locale', 'did you mean FINCLAW_LOCALE?'],
  ])('of ours is always noticed: %s', (written, advice) => {
    expect(misspeltVariables({ [written]: 'x', FINCLAW_LOCALE: 'ko' }, KNOWN)).toEqual([
      `${written} is set, but there is no such variable: ${advice}`,
    ]);
  });

  it('is none of other programs, and none that is empty', () => {
    const others = {
      PATH: '/bin',
      HOME: '/root',
      OPENAI_ORG_ID: 'org-1',
      ANTHROPIC_MODEL: 'opus',
      AWS_REGION: 'eu-west-1',
      POSTGRES_PASSWORD: 'x',
      SLACK_WEBHOOK_URL: 'https://hooks.example.com',
      DISCORD: '1',
      DATABASE: 'app',
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://localhost:4318/v1/metrics',
      FINCLAW_TYPO: '',
      DISCORD_TOKEN: '',
    };
    expect(misspeltVariables(others, KNOWN)).toEqual([]);
    expect(misspeltVariables(Object.fromEntries(KNOWN.map((name) => [name, 'x'])), KNOWN)).toEqual([]);
  });
});
