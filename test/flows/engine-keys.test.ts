import { describe, expect, it } from 'vitest';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import { keyTexts } from '#commands/admin/texts.ts';
import { intakeTexts } from '#src/chat/gates/texts.ts';
import {
  answer,
  CLAUDE_KEYS,
  type EngineApp,
  filesWith,
  GPT_KEY,
  requestsTo,
  startEngineApp,
  startServers,
  status,
} from '#test/support/engine-app.ts';
import { secretKeyOf } from '#test/support/secret-keys.ts';
const ADDED = 'geheim-claude-neu-9999';
const TWO_KEYS = { ANTHROPIC_API_KEY: CLAUDE_KEYS.join(',') };
const SECRET_KEY = secretKeyOf(7);
const OTHER_SECRET_KEY = secretKeyOf(8);

const expectNoKeyAnywhere = (engine: EngineApp): void => {
  for (const key of [...CLAUDE_KEYS, GPT_KEY, ADDED]) {
    expect(engine.log.filter((line) => line.includes(key))).toEqual([]);
    expect(engine.channel.texts.filter((text) => text.includes(key))).toEqual([]);
    expect(filesWith(engine.dataDir, key)).toEqual([]);
  }
};

describe('/keys', () => {
  it('shows an administrator every key, masked, and which of them rests for how long', async () => {
    const engine = await startEngineApp({ env: TWO_KEYS });
    engine.claude.reply(status(429, 90), answer('From the second key.'));
    await engine.ask('ann', 'How are the markets?');
    await engine.clock.advance(30_000);
    const [shown = ''] = await engine.ask('boss', '/keys', { locale: 'en' });
    expect(shown.split('\n').filter((line) => line.startsWith('- '))).toEqual([
      '- `env-anthropic-1` · `ANTHROPIC_API_KEY #1` · `geh...1111` · environment · some failures · paused for another 1 min (its limit is reached)',
      '- `env-anthropic-2` · `ANTHROPIC_API_KEY #2` · `geh...2222` · environment · healthy',
      '- `environment:openai` · `OPENAI_API_KEY` · `geh...3333` · environment · healthy',
    ]);
    expectNoKeyAnywhere(engine);
  });

  it('switches an added key off, on and away, and the next message follows', async () => {
    const engine = await startEngineApp({ env: { FINCLAW_SECRET_KEY: SECRET_KEY } });
    const { id, isSaved } = await engine.channel.host.keys.add('anthropic', ADDED, 'the new one');
    expect(isSaved).toBe(true);
    await engine.ask('ann', 'How are the markets?');
    expect(await engine.ask('boss', `/keys disable ${id}`, { locale: 'en' })).toEqual([
      keyTexts('en').disabled({ id, masked: 'geh...9999' }),
    ]);
    await engine.ask('ann', 'And in Asia, please?');
    expect((await engine.ask('boss', '/keys')).join('\n')).toContain(
      `${keyTexts('en').saved()} · ${keyTexts('en').off()}`,
    );
    await engine.ask('boss', `/keys enable ${id}`);
    await engine.ask('ann', 'And in Europe, please?');
    expect(await engine.ask('boss', `/keys remove ${id.slice(0, 8)}`, { locale: 'en' })).toEqual([
      keyTexts('en').removed({ id, masked: 'geh...9999' }),
    ]);
    await engine.ask('ann', 'And in Africa, please?');
    expect(requestsTo(engine.claude).map((line) => line.slice(0, 4))).toEqual([
      '9999',
      '1111',
      '9999',
      '1111',
    ]);
    expect((await engine.ask('boss', '/keys')).join('\n')).not.toContain('9999');
    expectNoKeyAnywhere(engine);
    await engine.stop();
    expectNoKeyAnywhere(engine);
  });

  it('lifts the rest of a key that is switched on again', async () => {
    const engine = await startEngineApp({ env: { ...TWO_KEYS, FINCLAW_FALLBACKS: 'none' } });
    engine.claude.reply(status(401), answer('From the second key.'));
    await engine.ask('ann', 'How are the markets?');
    await engine.ask('boss', '/keys disable env-anthropic-2');
    await engine.ask('boss', '/keys enable env-anthropic-1');
    expect(await engine.ask('ann', 'And in Asia, please?')).toEqual(['ok']);
    expect(requestsTo(engine.claude).map((line) => line.slice(0, 4))).toEqual(['1111', '2222', '1111']);
  });

  it('sends who wants to change a key of the environment there', async () => {
    const engine = await startEngineApp();
    expect(await engine.ask('boss', '/keys remove environment:openai', { locale: 'en' })).toEqual([
      keyTexts('en').fixed({ id: 'environment:openai', source: 'environment' }),
    ]);
    await engine.ask('boss', '/model gpt');
    expect(await engine.ask('boss', 'Who are you, please?')).toEqual(['ok']);
  });

  it.each(['/keys', '/keys disable env-anthropic-1', '/keys remove env-anthropic-1', '/키 목록'])(
    'is closed to everybody else: %s',
    async (body) => {
      const engine = await startEngineApp({ env: TWO_KEYS });
      const roles = { locale: 'en', senderRoles: ['admin'] } as const;
      expect(await engine.ask('ann', body, roles)).toEqual([
        commandTexts(body.startsWith('/키') ? 'ko' : 'en').missingRole({ name: 'keys' }),
      ]);
      const [shown = ''] = await engine.ask('boss', '/keys', { locale: 'en' });
      expect(shown.match(/healthy/g)).toHaveLength(3);
    },
  );

  it('never takes a key as a message: it is refused before it is stored or logged', async () => {
    const engine = await startEngineApp();
    const key = 'sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWx';
    const receipt = await engine.send('boss', `/keys add anthropic ${key}`, { locale: 'en' });
    expect(receipt.outcome).toBe('dropped');
    expect(engine.channel.texts).toEqual([intakeTexts('en').messageHoldsKey()]);
    expect(engine.log.filter((line) => line.includes(key))).toEqual([]);
    expect(filesWith(engine.dataDir, key)).toEqual([]);
    expect(engine.claude.history).toEqual([]);
  });
});

describe('several keys in the environment', () => {
  it('are used in turn by conversations, each of which stays with its own', async () => {
    const engine = await startEngineApp({ env: TWO_KEYS });
    for (const user of ['ann', 'bob', 'ann', 'ann', 'bob', 'ann'])
      await engine.ask(user, 'How are you today?');
    const keys = requestsTo(engine.claude).map((line) => line.slice(0, 4));
    expect(keys).toEqual(['1111', '2222', '1111', '1111', '2222', '1111']);
    expectNoKeyAnywhere(engine);
  });
});

describe('a key that was added', () => {
  it('is there after a restart, with its rest, for the same secret key or a newer one with the old behind it', async () => {
    const servers = await startServers();
    const env = { ANTHROPIC_API_KEY: '', FINCLAW_MODEL: '', FINCLAW_FALLBACKS: '' };
    const first = await startEngineApp({ servers, env: { ...env, FINCLAW_SECRET_KEY: SECRET_KEY } });
    await first.channel.host.keys.add('anthropic', ADDED);
    first.claude.reply(status(401, 600));
    await first.ask('ann', 'How are the markets?');
    expect(requestsTo(first.claude)).toEqual(['9999 claude-opus-5-5 status']);
    await first.stop();

    const { dataDir } = first;
    const secrets = `${OTHER_SECRET_KEY},${SECRET_KEY}`;
    const second = await startEngineApp({
      servers,
      dataDir,
      clock: first.clock,
      env: { ...env, FINCLAW_SECRET_KEY: secrets },
    });
    const [shown = ''] = await second.ask('boss', '/keys', { locale: 'en' });
    expect(shown).toMatch(
      /`geh\.\.\.9999` · added key · saved encrypted · some failures · paused for another (?:10 min|9 min)/,
    );
    await second.stop();

    // Sealed anew by now: the old secret key is not needed any more.
    await first.clock.advance(600_000);
    const third = await startEngineApp({
      servers,
      dataDir,
      clock: first.clock,
      env: { ...env, FINCLAW_SECRET_KEY: OTHER_SECRET_KEY },
    });
    await third.ask('ann', 'And how are they now?');
    expect(requestsTo(third.claude)).toEqual(['9999 claude-opus-5-5 status', '9999 claude-opus-5-5 answer']);
    await third.stop();
    for (const engine of [first, second, third]) expectNoKeyAnywhere(engine);
  });

  it('keeps a start with another secret key from going on as if nothing were: it says what to do', async () => {
    const servers = await startServers();
    const first = await startEngineApp({ servers, env: { FINCLAW_SECRET_KEY: SECRET_KEY } });
    await first.channel.host.keys.add('anthropic', ADDED);
    await first.stop();
    const { dataDir } = first;
    const start = (secretKey: string) =>
      startEngineApp({ servers, dataDir, env: { FINCLAW_SECRET_KEY: secretKey } });
    await expect(start(OTHER_SECRET_KEY)).rejects.toThrow(
      /^The saved key key-[0-9a-f]{8} cannot be opened: FINCLAW_SECRET_KEY is not the one it was sealed with\. Put the old one behind the new one, separated by a comma\.$/,
    );
    await expect(start('not a key at all')).rejects.toThrow(
      'FINCLAW_SECRET_KEY must be 32 bytes in base64. Make one with: openssl rand -base64 32',
    );
    // Nothing was changed or left open by it.
    const again = await start(SECRET_KEY);
    await again.ask('ann', 'How are the markets?');
    expect(requestsTo(again.claude)).toEqual(['9999 claude-sonnet-5-5 answer']);
    // Without a secret key the saved keys stay encrypted, and the log says so.
    await again.stop();
    const without = await start('');
    expect(without.log.join('')).toContain('Saved keys cannot be decrypted: FINCLAW_SECRET_KEY is not set');
    expect((await without.ask('boss', '/keys')).join('\n')).not.toContain('9999');
  });

  it('and switched off does not keep the bot from starting with its model: another answers until it is on', async () => {
    const servers = await startServers();
    const env = { ANTHROPIC_API_KEY: '', FINCLAW_SECRET_KEY: SECRET_KEY };
    const first = await startEngineApp({ servers, env: { ...env, FINCLAW_MODEL: '' } });
    const { id } = await first.channel.host.keys.add('anthropic', ADDED);
    await first.ask('boss', `/keys disable ${id}`);
    await first.stop();
    const second = await startEngineApp({ servers, env, dataDir: first.dataDir });
    expect(await second.ask('ann', 'How are the markets?')).toEqual(['ok']);
    await second.ask('boss', `/keys enable ${id}`);
    expect(await second.ask('ann', 'And in Asia, please?')).toEqual(['ok']);
    expect(requestsTo(second.gpt)).toEqual(['3333 gpt-6.1-sol answer']);
    expect(requestsTo(second.claude)).toEqual(['9999 claude-sonnet-5-5 answer']);
  });

  it('lives only as long as the program where there is no secret key', async () => {
    const engine = await startEngineApp();
    const { id } = await engine.channel.host.keys.add('anthropic', ADDED);
    const [shown = ''] = await engine.ask('boss', '/keys', { locale: 'en' });
    expect(shown).toContain(
      `\`${id}\` · \`anthropic 1\` · \`geh...9999\` · added key · in memory only · healthy`,
    );
    expectNoKeyAnywhere(engine);
  });
});
