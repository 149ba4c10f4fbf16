import { describe, expect, it } from 'vitest';
import { CHANNELS } from '#channels/index.ts';
import { secretValues } from '#src/platform/config/environment.ts';
import { createSecretMask } from '#src/platform/text/mask-secrets.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '#src/platform/config/config.ts';
import { temporaryDir } from '#test/support/database.ts';

describe('secretValues', () => {
  it('finds the values of the headers for a collector, without their names', () => {
    const env = { OTEL_EXPORTER_OTLP_HEADERS: 'api-key=correct-horse,tenant=Basic%20battery%3D' };
    expect(secretValues(env, CHANNELS)).toEqual(
      expect.arrayContaining(['correct-horse', 'Basic%20battery%3D', 'Basic battery=']),
    );
  });

  it('finds a secret also as it stands in an address', () => {
    const env = { FINCLAW_OPERATOR_TOKEN: 'correct+horse/battery=' };
    expect(secretValues(env, CHANNELS)).toEqual(['correct+horse/battery=', 'correct%2Bhorse%2Fbattery%3D']);
  });

  it.each([
    ['DISCORD_BOT_TOKEN'],
    ['ANTHROPIC_API_KEY'],
    ['SLACK_SIGNING_SECRET'],
    ['FINCLAW_SECRET_KEY'],
    ['PGPASSWORD'],
    ['SOME_OTHER_SERVICE_TOKEN'],
  ])('finds the value of %s', (name) => {
    expect(secretValues({ [name]: 'correct-horse' }, CHANNELS)).toEqual(['correct-horse']);
  });

  it.each([['PATH'], ['FINCLAW_LOCALE'], ['TOKEN_COUNT'], ['KEYBOARD']])('leaves %s alone', (name) => {
    expect(secretValues({ [name]: 'correct-horse' }, CHANNELS)).toEqual([]);
  });

  it('finds every key of a list, without the spaces around it', () => {
    const env = { OPENAI_API_KEY: 'first-key, second-key ,third-key', SLACK_APP_TOKEN: 'fourth' };
    expect(secretValues(env, CHANNELS)).toEqual(
      expect.arrayContaining(['first-key', 'second-key', 'third-key', 'fourth']),
    );
  });

  it('has a secret that contains commas as a whole too, so that no piece of it is ever seen', () => {
    const mask = createSecretMask(secretValues({ DB_PASSWORD: 'ab,cde,fgh' }, CHANNELS));
    expect(mask('password ab,cde,fgh')).toBe('password [***]');
  });

  it('finds nothing in variables that are not set, or set to nothing', () => {
    expect(secretValues({ OPENAI_API_KEY: '', SLACK_BOT_TOKEN: undefined }, CHANNELS)).toEqual([]);
  });
});

describe('loadConfig', () => {
  it.each([
    { providers: { anthropic: 'sk-ant-0123456789-secret' } },
    { providers: { anthropic: { apiKey: ['sk-ant-0123456789-secret'] } } },
    { providers: { defaultKeys: 'sk-ant-0123456789-secret' } },
  ])('does not repeat a key that stands in the wrong place of the file: %j', (file) => {
    const dir = temporaryDir();
    writeFileSync(join(dir, 'finclaw.config.json'), JSON.stringify(file));
    let text = '';
    try {
      loadConfig({}, dir, CHANNELS);
    } catch (error) {
      text = String(error);
    }
    expect(text).toContain('providers.');
    expect(text).not.toContain('secret');
  });

  it('does not repeat what looks like a key anywhere else either', () => {
    const dir = temporaryDir();
    const file = { agents: { main: { model: ['sk-ant-0123456789-secret'] } } };
    writeFileSync(join(dir, 'finclaw.config.json'), JSON.stringify(file));
    expect(() => loadConfig({}, dir, CHANNELS)).toThrow('agents.main.model: Invalid input: expected string');
    expect(() => loadConfig({}, dir, CHANNELS)).toThrow('(found ["[***]"])');
  });
});
