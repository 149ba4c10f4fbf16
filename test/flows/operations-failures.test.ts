import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Locale } from '#src/kernel/locale.ts';
import { failureTexts } from '#src/chat/delivery/texts.ts';
import { calls } from '#test/support/broker.ts';
import { temporaryDir } from '#test/support/database.ts';
import { answer, type EngineApp, startEngineApp, until, withoutErrorId } from '#test/support/engine-app.ts';
import { endsIn, held, lastTurns, query, settled } from './gateway-support.ts';

const TIMEOUT_SECONDS = 7;
const QUESTION: Readonly<Record<Locale, string>> = { en: 'How is Apple?', ko: '애플 어때요?' };
const errorId = '…';
const NO_FALLBACK = { FINCLAW_FALLBACKS: 'none' };

/** Told once, in these words, with an id that the log and the inbox know too, and with a warning on the question. */
const expectFailure = async (app: EngineApp, locale: Locale, sentence: string): Promise<void> => {
  expect(app.channel.texts.map(withoutErrorId)).toEqual([sentence]);
  expect(app.channel.visibleReactions).toEqual(['⚠️']);
  const [id = ''] = /[0-9a-f]{8}(?=\)$)/.exec(app.channel.texts[0] ?? '') ?? [];
  expect(app.log.filter((line) => line.includes('pipeline:error') && line.includes(id))).toHaveLength(1);
  await app.stop();
  expect(endsIn(app.dataDir)).toEqual({ [QUESTION[locale]]: 'failed' });
  expect(query(app.dataDir, 'select error_id from inbox')).toEqual([{ error_id: id }]);
};

const plugin = (setup: string): string => {
  const dataDir = temporaryDir();
  writeFileSync(join(dataDir, 'odd.mjs'), `export default { name: 'odd', setup: (api) => { ${setup} } };`);
  return dataDir;
};
const config = { plugins: ['./odd.mjs'] };

describe.each(['en', 'ko'] as const)('one sentence (%s) with an error id tells of', (locale) => {
  it('an answer that took too long', async () => {
    const app = await startEngineApp({
      config: { pipeline: { timeoutSeconds: TIMEOUT_SECONDS, privacyNote: false } },
    });
    app.claude.reply({ kind: 'stall', answer: { text: 'Apple stands' } });
    const receipt = await app.send('ann', QUESTION[locale]);
    await until(() => app.claude.history.length === 1);
    await app.clock.advance(TIMEOUT_SECONDS * 1_000);
    await settled(receipt);
    await until(() => app.claude.history[0]?.wasAborted() === true);
    await expectFailure(app, locale, failureTexts(locale).pipelineTimeout({ errorId }));
  });

  it('a model that refuses', async () => {
    const app = await startEngineApp({ env: NO_FALLBACK });
    app.claude.reply({ kind: 'answer', text: '', stopReason: 'refusal' });
    await app.ask('ann', QUESTION[locale]);
    await expectFailure(app, locale, failureTexts(locale).noAnswer.refused({ errorId, wait: '' }));
  });

  it('a fault of the program', async () => {
    const app = await startEngineApp({
      dataDir: plugin(`api.on('beforeMessageProcess', () => ({ body: { toString: 1 } }));`),
      config,
    });
    await app.ask('ann', QUESTION[locale]);
    expect(app.claude.history).toEqual([]);
    const [id = ''] = /[0-9a-f]{8}(?=\)$)/.exec(app.channel.texts[0] ?? '') ?? [];
    expect(app.channel.texts).toEqual([failureTexts(locale).internalError({ errorId: id })]);
    expect(app.channel.visibleReactions).toEqual(['⚠️']);
    await app.stop();
    expect(query(app.dataDir, 'select status, error_id from inbox')).toEqual([
      { status: 'failed', error_id: id },
    ]);
  });

  it('an answer that the platform did not take', async () => {
    const app = await startEngineApp();
    app.channel.failNextSends(3);
    await app.ask('ann', QUESTION[locale]);
    await expectFailure(app, locale, failureTexts(locale).deliveryFailed({ errorId }));
    expect(app.channel.attempts.map(({ payload }) => withoutErrorId(payload.text))).toEqual([
      'ok',
      'ok',
      'ok',
      failureTexts(locale).deliveryFailed({ errorId }),
    ]);
  });
});

describe('a failure', () => {
  it('of a budget that ran out while a message waited is told when it is its turn', async () => {
    const app = await startEngineApp({
      env: { FINCLAW_DAILY_BUDGET_USD: '0.0005', FINCLAW_QUEUE_MODE: 'queue' },
    });
    const { reply, letGo } = held();
    app.claude.reply(reply);
    const first = await app.send('ann', 'one');
    await until(() => app.claude.history.length === 1);
    const second = await app.send('ann', 'two');
    letGo();
    await settled(first, second);
    expect(app.channel.texts.map(withoutErrorId)).toEqual([
      'ok',
      failureTexts('en').noAnswer['total-budget']({ errorId, wait: 'in 9 hours' }),
    ]);
    expect(app.claude.history).toHaveLength(1);
    expect(app.channel.visibleReactions).toEqual(['⚠️']);
  });

  it('of a hook or a tool of a plugin keeps nobody from an answer', async () => {
    const app = await startEngineApp({
      dataDir: plugin(`
        api.on('beforeMessageProcess', () => { throw new Error('a bug before'); });
        api.on('beforeAgentRun', () => { throw new Error('a bug at the model'); });
        api.on('afterMessageProcess', () => { throw new Error('a bug behind'); });
        api.registerTool(api.defineTool({
          name: 'broken', description: 'Breaks', group: 'finance', input: api.z.object({}),
          run: async () => { throw new Error('a bug in the tool'); },
        }));`),
      config,
    });
    app.claude.reply(calls({ name: 'broken', input: {} }), answer('It did not work.'));
    expect(await app.ask('ann', 'Break it.')).toEqual(['It did not work.']);
    expect(lastTurns(app.claude)[1]).toEqual([expect.stringContaining('a bug in the tool')]);
    expect(app.channel.visibleReactions).toEqual([]);
    for (const bug of ['a bug before', 'a bug at the model', 'a bug behind'])
      await until(() => app.log.some((line) => line.includes(bug)));
  });

  it('of one part of a long answer leaves the others, and says that something is missing', async () => {
    const app = await startEngineApp({ channel: { maxMessageLength: 200 } });
    const paragraphs = ['a', 'b', 'c'].map((letter) => letter.repeat(150));
    app.claude.reply(answer(paragraphs.join('\n\n')));
    app.channel.onSend = ({ payload }) => {
      if (payload.text.startsWith('b')) throw new Error('not this one');
    };
    const said = await app.ask('ann', 'Tell me all.');
    expect(said.map((text) => withoutErrorId(text)?.replace(/(.)\1{149}/, '$1'))).toEqual([
      'a',
      'c',
      failureTexts('en').deliveryFailed({ errorId }),
    ]);
    await app.stop();
    expect(query(app.dataDir, 'select status from outbox order by part_index')).toEqual(
      ['sent', 'failed', 'sent', 'sent'].map((status) => ({ status })),
    );
  });

  it('of the platform itself ends the message, and the next one is answered', async () => {
    const app = await startEngineApp();
    app.channel.failNextSends(6);
    expect(await app.ask('ann', 'How is Apple?')).toEqual([]);
    expect(app.channel.attempts).toHaveLength(6);
    expect(app.channel.visibleReactions).toEqual(['⚠️']);
    expect(await app.ask('ann', 'How is Tesla?')).toEqual(['ok']);
    await app.stop();
    expect(endsIn(app.dataDir)).toEqual({ 'How is Apple?': 'failed', 'How is Tesla?': 'done' });
  });

  it('of signs holds up no answer', async () => {
    const app = await startEngineApp();
    app.channel.onReaction = () => {
      throw new Error('no reactions here');
    };
    app.channel.onTyping = () => new Promise(() => undefined);
    expect(await app.ask('ann', 'How is Apple?')).toEqual(['ok']);
  });
});
