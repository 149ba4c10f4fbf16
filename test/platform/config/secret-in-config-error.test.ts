import { writeFileSync } from 'node:fs';
import { CHANNELS } from '#channels/index.ts';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '#src/platform/config/config.ts';
import { temporaryDir } from '#test/support/database.ts';

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
