import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDir } from '#test/support/database.ts';
import { CLAUDE_KEYS, startServers } from '#test/support/engine-app.ts';
import { spawnDoctor } from '#test/support/run-doctor.ts';

interface Document {
  readonly checks: readonly { readonly id: string; readonly level: string; readonly message: string }[];
}

const examine = async (env: NodeJS.ProcessEnv, file: object = {}): Promise<Document['checks']> => {
  const cwd = temporaryDir();
  writeFileSync(join(cwd, 'finclaw.config.json'), JSON.stringify(file), { mode: 0o600 });
  const { output } = await spawnDoctor({ FINCLAW_DATA_DIR: temporaryDir(), ...env }, cwd, ['--json']);
  return (JSON.parse(output) as Document).checks;
};

describe('the ids of npm run doctor --json', () => {
  it('tell models, windows, keys, plugins, skills and rules from the database', async () => {
    const [right, wrong] = CLAUDE_KEYS;
    const { claude } = await startServers({ claude: { keys: [right] } });
    const checks = await examine(
      {
        ANTHROPIC_BASE_URL: claude.url,
        ANTHROPIC_API_KEY: `${right},${wrong}`,
        FINCLAW_FALLBACKS: 'claude-sonnet-5',
      },
      {
        plugins: ['gone.mjs'],
        skills: { directories: ['nowhere'] },
        tools: { rules: [{ pattern: 'get_qoute', verdict: 'require-approval' }] },
      },
    );
    const idOf = (words: RegExp): readonly string[] =>
      checks.filter(({ message }) => words.test(message)).map(({ id }) => id);
    expect(idOf(/^Plugin /)).toEqual(['plugins']);
    expect(idOf(/directory of skills|fits no tool/)).toEqual(['tools', 'tools']);
    expect(idOf(/^Model: |^The model claude-sonnet-5/)).toEqual(['models', 'models']);
    expect(idOf(/^Key /)).toEqual(['keys', 'keys']);
    expect(checks.filter(({ id }) => id === 'database')).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/^Database: /) }),
    ]);
    const docs = readFileSync(join(import.meta.dirname, '../../docs/install.md'), 'utf8');
    for (const id of new Set(checks.map((check) => check.id))) expect(docs).toContain(`\`${id}\``);
  });

  it.each([
    ['models', { FINCLAW_MODEL: 'quetzal' }, {}],
    ['keys', { FINCLAW_SECRET_KEY: 'geheim' }, {}],
    [
      'windows',
      { OPENAI_API_KEY: 'geheim-llama-4444', OPENAI_BASE_URL: 'http://127.0.0.1:1' },
      {
        agent: { instructions: '친절하게 답하세요. '.repeat(360) },
        providers: { openai: { api: 'chat' } },
        models: {
          defaultModel: 'local',
          definitions: { local: { provider: 'openai', contextWindow: 8_192, maxOutputTokens: 1_024 } },
        },
      },
    ],
  ])('name %s where they keep the bot from starting', async (id, env, file) => {
    const failed = (await examine(env, file)).filter(({ level }) => level === 'fail');
    expect(failed.map((check) => check.id)).toEqual([id]);
  });
});
