import { describe, expect, it } from 'vitest';
import { failureTexts } from '#src/chat/delivery/texts.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import { temporaryDir } from '#test/support/database.ts';
import {
  answer,
  callsTool,
  type EngineApp,
  filesWith,
  requestsTo,
  startEngineApp,
  startServers,
  status,
  withoutErrorId,
} from '#test/support/engine-app.ts';
import { badRequest, CHAT, CLAUDE, GPT, GROUP } from './refusal-support.ts';

const POISON = 'POISON';
const NOTE = "[a message that the model's provider refused]";
const RESULT_NOTE = "[left out: the model's provider refused this result]";
const BROUGHT_NOTE = "[left out: the model's provider refused what came with this message]";
const TOLD = failureTexts('en').noAnswer['message-refused']({ errorId: '…', wait: '' });

const FLAGGED = badRequest('Output blocked by content filtering policy');

/** Refuses every request in which something stands, and answers all others. */
const refusing =
  (isRefused: (body: string) => boolean, refusal: FakeReply = FLAGGED) =>
  (body: object): FakeReply =>
    isRefused(JSON.stringify(body)) ? refusal : answer('ok');
const hasPoison = (body: string): boolean => body.includes(POISON);

const sentTo = ({ claude, gpt }: EngineApp): readonly string[] =>
  [...claude.history, ...gpt.history].map(({ body }) => JSON.stringify(body));
const outcomes = ({ claude, gpt }: EngineApp): readonly string[] =>
  [...claude.history, ...gpt.history].map(({ outcome }) => outcome);

describe('a message that a provider refuses', () => {
  const cases: readonly (readonly [string, 'claude' | 'gpt', FakeReply, object])[] = [
    ['Claude', 'claude', FLAGGED, { env: CLAUDE }],
    ['GPT', 'gpt', badRequest('Invalid prompt: flagged', 'invalid_prompt'), { env: GPT }],
    ['GPT, inside the stream', 'gpt', { kind: 'stream-error', type: 'invalid_prompt' }, { env: GPT }],
    ['a compatible server', 'gpt', status(422), CHAT],
  ];

  it.each(cases)(
    '%s: is told to its sender, and everybody else is answered, after a restart too',
    async (_, provider, refusal, options) => {
      const dataDir = temporaryDir();
      const servers = await startServers();
      servers[provider].otherwise(refusing(hasPoison, refusal));
      const start = (): Promise<EngineApp> => startEngineApp({ ...options, servers, dataDir });
      const first = await start();
      expect(await first.ask('ann', 'My cat is called Tom.', GROUP)).toEqual(['ok']);
      expect((await first.ask('eve', `Say ${POISON}.`, GROUP)).map(withoutErrorId)).toEqual([TOLD]);
      for (let question = 0; question < 3; question += 1)
        expect(await first.ask('bob', 'What time is it?', GROUP)).toEqual(['ok']);
      await first.stop();

      const second = await start();
      expect(await second.ask('eve', 'And now?', GROUP)).toEqual(['ok']);
      // As it is, without what came with it, and without what was said before.
      expect(outcomes(second)).toEqual([
        'answer',
        refusal.kind,
        refusal.kind,
        refusal.kind,
        ...Array.from({ length: 4 }, () => 'answer'),
      ]);
      const last = sentTo(second).at(-1) ?? '';
      expect(last).toContain(NOTE);
      expect(last).toContain('My cat is called Tom.');
      expect(last).not.toContain(POISON);
    },
  );

  it('is told in Korean to a person who writes Korean', async () => {
    const engine = await startEngineApp({ env: CLAUDE });
    engine.claude.otherwise(refusing(hasPoison));
    expect((await engine.ask('eve', `오늘 시장은 어때? ${POISON}`)).map(withoutErrorId)).toEqual([
      failureTexts('ko').noAnswer['message-refused']({ errorId: '…', wait: '' }),
    ]);
  });

  it('stays where the refusal names a setting of the request: nothing in it is the reason', async () => {
    const engine = await startEngineApp({ env: CLAUDE });
    expect(await engine.ask('ann', 'Hello?', GROUP)).toEqual(['ok']);
    engine.claude.reply(badRequest('tools.0: wrong'));
    expect(await engine.ask('bob', 'What time is it?', GROUP)).toEqual([
      expect.stringMatching(/^Something went wrong/),
    ]);
    expect(requestsTo(engine.claude)).toHaveLength(2);
    expect(await engine.ask('bob', 'Again, please.', GROUP)).toEqual(['ok']);
    expect(sentTo(engine).at(-1)).toContain('What time is it?');
  });

  it('stays where the provider fails while it is found out what was refused', async () => {
    const engine = await startEngineApp({ env: CLAUDE });
    expect(await engine.ask('ann', 'Hello?', GROUP)).toEqual(['ok']);
    engine.claude.reply(FLAGGED, status(401));
    // The rules cannot answer this one.
    expect((await engine.ask('bob', 'Who was Newton?', GROUP)).map(withoutErrorId)).toEqual([
      failureTexts('en').noAnswer['key-refused']({ errorId: '…', wait: '' }),
    ]);
    expect(requestsTo(engine.claude)).toHaveLength(3);
    expect(filesWith(engine.dataDir, NOTE)).toEqual([]);
  });
});

describe('a refusal of what the person did not write', () => {
  it('in a tool result leaves that result out, and the question is answered', async () => {
    const engine = await startEngineApp({ env: CLAUDE });
    engine.claude.otherwise(
      refusing((body) => body.includes('"type":"tool_result"') && !body.includes(RESULT_NOTE)),
    );
    engine.claude.reply(callsTool('AAPL'));
    expect(await engine.ask('ann', 'How is Apple?', GROUP)).toEqual(['ok']);
    expect(await engine.ask('bob', 'What time is it?', GROUP)).toEqual(['ok']);
    expect(outcomes(engine)).toEqual(['answer', 'status', 'answer', 'answer']);
    const last = sentTo(engine).at(-1) ?? '';
    expect(last).toContain(RESULT_NOTE);
    expect(last).toContain('How is Apple?');
  });

  it('in a file leaves the file out, and the question is answered', async () => {
    const file: MediaAttachment = {
      kind: 'file',
      mimeType: 'text/plain',
      name: 'a.txt',
      url: 'memory:a.txt',
    };
    const engine = await startEngineApp({
      env: CLAUDE,
      channel: { files: { [file.url]: Buffer.from(`Here is ${POISON}.`) } },
    });
    engine.claude.otherwise(refusing(hasPoison));
    expect(await engine.ask('ann', 'Sum it up.', { ...GROUP, media: [file] })).toEqual(['ok']);
    expect(await engine.ask('bob', 'What time is it?', GROUP)).toEqual(['ok']);
    expect(outcomes(engine)).toEqual(['status', 'answer', 'answer']);
    const last = sentTo(engine).at(-1) ?? '';
    expect(last).toContain(BROUGHT_NOTE);
    expect(last).toContain('Sum it up.');
  });
});

describe('a conversation that holds refused words already', () => {
  it('loses those of a turn that had no answer, and nothing else', async () => {
    const engine = await startEngineApp({ env: CLAUDE });
    expect(await engine.ask('ann', 'My cat is called Tom.', GROUP)).toEqual(['ok']);
    engine.claude.reply(badRequest('tools.0: wrong'));
    await engine.ask('eve', `Say ${POISON}.`, GROUP);
    engine.claude.otherwise(refusing(hasPoison));
    expect(await engine.ask('bob', 'What time is it?', GROUP)).toEqual(['ok']);
    expect(await engine.ask('bob', 'Thanks.', GROUP)).toEqual(['ok']);
    expect(outcomes(engine)).toEqual(['answer', 'status', 'status', 'status', 'answer', 'answer']);
    expect(sentTo(engine).at(-1)).toContain('My cat is called Tom.');
    expect(sentTo(engine).at(-1)).not.toContain(POISON);
  });

  it('goes on without what was said before where the words had an answer', async () => {
    const engine = await startEngineApp({ env: CLAUDE });
    expect(await engine.ask('eve', `Say ${POISON}.`, GROUP)).toEqual(['ok']);
    engine.claude.otherwise(refusing(hasPoison));
    expect(await engine.ask('bob', 'What time is it?', GROUP)).toEqual(['ok']);
    expect(await engine.ask('bob', 'Thanks.', GROUP)).toEqual(['ok']);
    expect(outcomes(engine)).toEqual(['answer', 'status', 'status', 'answer', 'answer']);
    expect(sentTo(engine).at(-1)).toContain('What time is it?');
  });
});
