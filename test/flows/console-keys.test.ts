import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createConsoleChannel } from '#channels/console/adapter.ts';
import { keyEntryTexts } from '#src/kernel/agent/texts/key-entry.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { createLogger } from '#src/platform/logging/logger.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import { startAppOn } from '#test/support/app.ts';
import { filesWith, requestsTo, startServers } from '#test/support/engine-app.ts';
import { secretKeyOf } from '#test/support/secret-keys.ts';
import { stripMentions } from '#test/support/markup.ts';

const KEY = 'geheim-claude-neu-9999';
const t = keyEntryTexts('en');

/** The whole program, with these lines piped into it, and all that it left behind. */
const chat = async (
  lines: readonly string[],
  env: NodeJS.ProcessEnv = {},
  ...replies: readonly FakeReply[]
) => {
  const { claude } = await startServers({ claude: { keys: [KEY] } });
  claude.reply(...replies);
  const log: string[] = [];
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const channel = createConsoleChannel({
    stripMentions,
    input: stdin,
    output: stdout,
    hasColour: false,
    locale: 'en',
    version: '0.0.0',
    clock: systemClock,
    logger: createLogger({
      level: 'debug',
      pretty: false,
      secrets: [],
      write: (line) => void log.push(line),
    }),
  });
  const started = await startAppOn(channel, { env: { ANTHROPIC_BASE_URL: claude.url, ...env } });
  stdin.end(lines.map((line) => `${line}\n`).join(''));
  await started.app.stopped;
  stdout.end();
  const logged = [...log, ...started.log].join('');
  return { output: await text(stdout), claude, logged, dataDir: started.dataDir };
};

describe('a key that is added in the terminal', () => {
  it.each([
    ['saved, where there is a secret key', { FINCLAW_SECRET_KEY: secretKeyOf(7) }, true],
    ['in memory only, where there is none', {}, false],
  ] as const)('answers from the next message on, and is %s', async (_how, env, isSaved) => {
    const { output, claude, logged, dataDir } = await chat(
      ['/keys add anthropic', KEY, 'How are the markets?'],
      env,
    );
    const added = { provider: 'anthropic', name: 'anthropic 1', masked: 'geh...9999', isSaved };
    expect(output).toBe(`${t.paste({ provider: 'anthropic' })}\n${t.added(added)}\nok\n\n`);
    expect(requestsTo(claude)).toEqual(['9999 claude-opus-5-5 answer']);
    expect(output + logged).not.toContain(KEY);
    expect(filesWith(dataDir, KEY)).toEqual([]);
  });

  it.each([
    [
      'decomposed and with what nobody sees',
      `\u200b${'/키 추가'.normalize('NFD')}\u00a0anthropic \u2068${KEY}\u2069`,
    ],
    ['typed in capitals', `/KEYS ADD Anthropic ${KEY}`],
  ])('is added and stored nowhere in the open when it is %s', async (_how, line) => {
    const { output, claude, logged, dataDir } = await chat([line, 'How are the markets?']);
    expect(output).toMatch(/^Added: anthropic, .+\nok\n\n$/);
    expect(requestsTo(claude)).toEqual(['9999 claude-opus-5-5 answer']);
    expect(output + logged).not.toContain(KEY);
    expect(filesWith(dataDir, KEY)).toEqual([]);
  });

  it('stays out of the log also when a server repeats it', async () => {
    const repeats = { kind: 'status', status: 403, message: `${KEY} may not do this` } as const;
    const { output, claude, logged } = await chat(
      [`/keys add anthropic ${KEY} at home`, 'How are the markets?'],
      { FINCLAW_FALLBACKS: 'none' },
      repeats,
      repeats,
    );
    expect(claude.history.length).toBeGreaterThan(0);
    expect(logged).toContain('403');
    expect(output + logged).not.toContain(KEY);
  });

  it('is refused without being repeated anywhere when it cannot be one', async () => {
    const wrong = 'geheim wrong-9999';
    const { output, claude, logged, dataDir } = await chat(['/키 추가 anthropic', wrong, '/keys']);
    expect(output).toContain(t.invalid({ provider: 'anthropic' }));
    expect(claude.history).toEqual([]);
    expect(output + logged).not.toContain(wrong);
    expect(filesWith(dataDir, wrong)).toEqual([]);
  });
});
