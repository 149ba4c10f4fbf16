import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { quotes } from '#src/features/quotes/index.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import { temporaryDir } from '#test/support/database.ts';
import {
  answer,
  CLAUDE_KEYS,
  type EngineApp,
  GPT_KEY,
  requestsTo,
  startEngineApp,
  startServers,
  status,
} from '#test/support/engine-app.ts';
import { examplePlugin } from '#test/support/example-plugin.ts';
import { runDoctor } from '#test/support/run-doctor.ts';

const LLAMA_KEY = 'geheim-llama-4444';

/** A plugin as people write it, with what a test needs of it. */
const ours = (llamaUrl: string): string => `export default {
  name: 'ours',
  setup: ({ registerCommand, registerModel }) => {
    registerCommand({ name: 'whoami', description: 'says who you are', run: ({ ctx }) => 'You are ' + ctx.senderId });
    registerCommand({ name: 'vault', description: 'opens', requiredRoles: ['keeper'], run: () => 'open' });
    registerCommand({ name: 'crash', description: 'crashes', run: () => { throw new Error('kaputt'); } });
    registerModel({
      id: 'llama-70b', displayName: 'Llama', aliases: ['llama'], provider: 'openai',
      server: { baseUrl: '${llamaUrl}', apiKey: '${LLAMA_KEY}' },
      contextWindow: 64000, maxOutputTokens: 2000, pricing: null, temperature: false,
    });
    registerModel({
      id: 'claude-house', provider: 'anthropic', contextWindow: 64000, maxOutputTokens: 2000,
      pricing: { inputPerMillion: 0.5, outputPerMillion: 1 },
    });
  },
};`;

const thief = (registers: string): string =>
  `export default { name: 'thief', setup: (api) => { api.registerCommand({ name: 'stolen', description: 'x', run: () => 'x' }); ${registers} } };`;

/** In every way in which one can be bad; none of them may cost anybody anything. */
const BAD: Readonly<Record<string, string>> = {
  'throws.mjs': `export default { name: 'throws', setup: () => { throw new Error('no licence'); } };`,
  'broken.mjs': 'export default {',
  'price.mjs': thief(`api.registerCommand({ name: 'price', description: 'mine', run: () => 'free' });`),
  'ask.mjs': thief(`api.registerCommand({ name: 'ask', description: 'mine', run: () => 'free' });`),
  'alias.mjs': thief(
    `api.registerCommand({ name: 'mine', aliases: ['시세'], description: 'x', run: () => '' });`,
  ),
  'odd.mjs': thief(`api.registerCommand({ name: 'Not A Name' });`),
  'model.mjs': thief(
    `api.registerModel({ id: 'mine', aliases: ['sonnet'], provider: 'openai', contextWindow: 8000, maxOutputTokens: 500, pricing: null });`,
  ),
  'korean.mjs': thief(`api.registerCommand({ name: '점심', description: '점심 메뉴', run: () => '' });`),
  'free.mjs': thief(
    `api.registerModel({ id: 'free', provider: 'openai', contextWindow: 8000, maxOutputTokens: 500 });`,
  ),
  'narrow.mjs': thief(
    `api.registerModel({ id: 'narrow', provider: 'openai', contextWindow: 5999, maxOutputTokens: 500, pricing: null });`,
  ),
};

const start = async (env = {}): Promise<{ readonly app: EngineApp; readonly llama: EngineApp['gpt'] }> => {
  const [servers, { gpt: llama }] = [await startServers(), await startServers()];
  const dataDir = temporaryDir();
  const files = { 'ours.mjs': ours(llama.url), ...BAD, 'twin.mjs': ours(llama.url) };
  for (const [file, source] of Object.entries(files)) writeFileSync(join(dataDir, file), source);
  const plugins = Object.keys(files).map((file) => `./${file}`);
  return {
    app: await startEngineApp({ servers, dataDir, config: { plugins, agent: { temperature: 0.4 } }, env }),
    llama,
  };
};

describe('plugins of all kinds, good and bad', () => {
  it('add commands and models; the bad ones are named and stop nothing', async () => {
    const { app, llama } = await start();
    expect(await app.ask('ann', '/whoami')).toEqual(['You are ann']);
    expect(await app.ask('ann', '/whoam')).toEqual([
      commandTexts('en').unknownCommand({ name: 'whoam', nearest: 'whoami' }),
    ]);
    expect(await app.ask('ann', '/vault')).toEqual([commandTexts('en').missingRole({ name: 'vault' })]);
    expect(await app.ask('ann', '/vault', { senderRoles: ['keeper'] })).toEqual(['open']);
    const [help = ''] = await app.ask('ann', '/help all');
    expect(help).toContain('`/whoami` — says who you are');
    expect(help).toContain(`\`/price\` — ${quotes.command.definition.description.en}`);
    for (const hidden of ['vault', 'stolen', 'mine', '`/ask`']) expect(help).not.toContain(hidden);
    expect((await app.ask('ann', '/crash'))[0]).toContain('“ours”');
    expect(app.log.join()).toContain('The command /crash of the plugin ours failed: kaputt');

    const [shown = ''] = await app.ask('boss', '/status');
    expect(shown).toContain('`ours` ⚠️ 1 command failed');
    for (const file of Object.keys(BAD)) {
      expect(shown).toContain(`\`${file}\` ⚠️ not loaded: `);
      expect(app.log.some((line) => line.includes(file) && line.includes('could not be loaded'))).toBe(true);
    }
    for (const reason of [
      'no licence',
      'another plugin is called "ours"',
      '"점심" is not valid: name: must be up to 32 of a-z, 0-9, _ and -; put a Korean name in aliases',
      '"narrow" is not valid: contextWindow: must be at least 6000',
    ])
      expect(shown).toContain(reason);

    // Its own server, its own key, and a cost that nobody knows.
    const [list = ''] = await app.ask('boss', '/model list');
    expect(list).toContain('llama');
    expect(list).toContain('claude-house');
    // Nobody but an administrator spends what no budget counts.
    expect((await app.ask('ann', '/model llama'))[0]).toContain('Only administrators can choose **Llama**');
    await app.ask('boss', '/model llama');
    llama.reply(answer('Llama speaks.'));
    expect(await app.ask('boss', 'hello')).toEqual(['Llama speaks.']);
    expect(requestsTo(llama)).toEqual(['4444 llama-70b answer']);
    expect(llama.history[0]?.path).toBe('/v1/chat/completions');
    expect(llama.history[0]?.body).not.toHaveProperty('temperature');
    expect(requestsTo(app.gpt)).toEqual([]);
    expect((await app.ask('boss', '/usage'))[0]).toContain('`llama-70b` — price unknown');

    // A model without a server of its own is asked at its provider, with the provider's keys, and has a price.
    await app.ask('ann', '/model claude-house');
    app.claude.reply(answer('Claude of the house.'));
    expect(await app.ask('ann', 'hello')).toEqual(['Claude of the house.']);
    expect(requestsTo(app.claude).at(-1)).toBe(`${CLAUDE_KEYS[0].slice(-4)} claude-house answer`);
    expect((await app.ask('ann', '/usage'))[0]).toMatch(/\$0\.0/);
    const everything = app.log.join();
    for (const key of [LLAMA_KEY, GPT_KEY, CLAUDE_KEYS[0]]) expect(everything).not.toContain(key);
  });

  it('answer as the default model, and count against the rate limit like every message', async () => {
    const { app, llama } = await start({
      FINCLAW_MODEL: 'llama',
      FINCLAW_FALLBACKS: 'sonnet',
      FINCLAW_RATE_LIMIT: '1',
    });
    llama.reply(answer('Llama speaks.'), status(401), answer('Llama is back.'));
    app.claude.reply(answer('Claude steps in.'));
    expect(await app.ask('ann', 'one')).toEqual(['Llama speaks.']);
    expect((await app.ask('ann', '/whoami')).join(), 'a second message in a minute').not.toContain(
      'You are ann',
    );
    expect(await app.ask('bob', 'two')).toEqual(['Claude steps in.']);
    // The key that was refused is the server's: those of the provider are not rested for it.
    expect(await app.ask('cho', 'three')).toEqual(['Llama is back.']);
  });
});

describe('npm run doctor', () => {
  it('names the documented plugin as good and says of each bad one what is wrong', async () => {
    const cwd = temporaryDir();
    const files = { 'lucky.mjs': examplePlugin(), ...BAD, 'twin.mjs': examplePlugin() };
    const plugins = Object.keys(files).map((file) => `./${file}`);
    const all = { ...files, 'finclaw.config.json': JSON.stringify({ plugins }) };
    for (const [file, source] of Object.entries(all)) writeFileSync(join(cwd, file), source);
    const { output, code } = await runDoctor({ FINCLAW_DATA_DIR: join(cwd, 'data') }, cwd);
    const lines = output.split('\n');
    expect(lines).toContain('✔ Plugin: lucky');
    for (const file of [...Object.keys(BAD), 'twin.mjs'])
      expect(lines.filter((line) => line.startsWith('✖ Plugin') && line.includes(file))).toHaveLength(1);
    expect(code).toBe(1);
  });
});
