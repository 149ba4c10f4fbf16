import { describe, expect, it } from 'vitest';
import { blocksIn } from '#src/agent/content-blocks.ts';
import { failureTexts } from '#src/chat/delivery/texts.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import { calls, codeIn } from '#test/support/broker.ts';
import { answer, type EngineApp, startEngineApp, until } from '#test/support/engine-app.ts';
import { transcriptIn } from './gateway-support.ts';

const SETS = calls({
  name: 'set_alert',
  input: { symbol: 'AAPL', condition: 'above', value: '900', isSure: true },
});
const RECEIPT = /🔔 Alert set: \*\*Apple \(AAPL\)\*\* at \$900\.00 or above \(once\)/u;
const count = (text = '', what = RECEIPT): number => [...text.matchAll(new RegExp(what, 'gu'))].length;

const labelsOf = ({ channel }: EngineApp, index = -1): readonly string[] =>
  (channel.sent.at(index)?.payload.choices ?? []).map(({ label }) => label);

/** An app whose model has set an alert, and says nothing any more. */
const heldAfterTheChange = async (env: NodeJS.ProcessEnv = {}) => {
  const app = await startEngineApp({ env });
  app.claude.reply(SETS, { kind: 'stall', answer: { text: 'Apple' } });
  await app.send('ann', 'Tell me when Apple is at 900');
  await until(() => app.claude.history.length === 2);
  return app;
};

describe('a turn that has changed something', () => {
  it('has it stored beside the result of each call, and none where nothing was changed', async () => {
    const app = await startEngineApp();
    const buy = { kind: 'buy', symbol: 'AAPL', quantity: '10', price: '190.5', date: '2026-11-12' };
    const made: readonly (readonly [name: string, input: object, effect?: string])[] = [
      ['record_transaction', buy, 'recorded'],
      ['record_transaction', { ...buy, kind: 'sell', quantity: '11' }],
      ['undo_transaction', { number: 1 }, 'removed'],
      ['undo_transaction', { number: 1 }],
      ['set_alert', { symbol: 'AAPL', condition: 'above', value: '900', isSure: true }, 'set'],
      ['set_alert', { symbol: 'AAPL', condition: 'above', value: '90000' }],
      ['remove_alert', { which: 'AAPL' }, 'removed'],
      ['remove_alert', { which: 'AAPL' }],
      ['manage_watchlist', { action: 'add', names: ['NVDA'] }, 'changed'],
      ['manage_watchlist', { action: 'add', names: ['NVDA'] }],
      ['manage_watchlist', { action: 'show' }],
      ['manage_watchlist', { action: 'remove', names: ['NVDA'] }, 'removed'],
      ['set_briefing', { action: 'set', time: '08:30' }, 'set'],
      ['set_briefing', { action: 'remove', id: 'all' }],
      ['set_briefing', { action: 'remove', id: '' }, 'removed'],
      ['notify', { text: 'Look at Apple', inMinutes: 90 }, 'set'],
      ['notify', { text: 'Look at Apple' }, 'sent'],
      ['list_alerts', {}],
    ];
    for (const [name, input] of made) {
      const before = app.channel.sent.length;
      app.claude.reply(calls({ name, input }), answer('Here you are.'));
      const [text] = await app.ask('ann', 'And the next one of these.');
      if (text?.startsWith('❓')) await app.ask('ann', `/approve ${codeIn(text)}`);
      await until(() => app.channel.texts.slice(before).some((each) => each.startsWith('Here you are.')));
    }
    const messages = transcriptIn(app).map((message) => JSON.parse(message) as ConversationMessage);
    const results = blocksIn(messages, 'tool_result');
    expect(results.map(({ receipt }) => receipt?.effect)).toEqual(made.map(([, , effect]) => effect));
  });

  it('tells so where it is stopped before the model answers', async () => {
    const app = await heldAfterTheChange();
    await app.ask('ann', '/stop');
    await until(() => app.channel.texts.some((text) => RECEIPT.test(text)));
    const told = app.channel.texts.findIndex((text) => RECEIPT.test(text));
    expect(app.channel.texts[told]).toContain(failureTexts('en').stopped());
    expect(labelsOf(app, told)).toEqual(['Delete AAPL: at $900.00 or above']);
    expect(count(app.channel.texts.join())).toBe(1);
  });

  it('tells so where a newer message takes its place, before the answer to that', async () => {
    const app = await heldAfterTheChange({ FINCLAW_QUEUE_MODE: 'interrupt' });
    app.claude.reply(answer('Tesla it is.'));
    await app.ask('ann', 'No, how is Tesla?');
    expect(app.channel.texts).toEqual([expect.stringMatching(RECEIPT), 'Tesla it is.']);
    expect(labelsOf(app, 0)).toEqual(['Delete AAPL: at $900.00 or above']);
  });

  it('tells so where it waits for a word that never comes', async () => {
    const app = await startEngineApp();
    const trade = { kind: 'buy', symbol: 'TSLA', quantity: '1', price: '400', date: '2026-11-12' };
    const input = { symbol: 'AAPL', condition: 'above', value: '900', isSure: true };
    app.claude.reply(
      calls({ name: 'set_alert', input }, { name: 'record_transaction', input: trade }),
      answer('Apple is a company.'),
    );
    await app.ask('ann', 'I bought a Tesla at 400; and tell me when Apple is at 900');
    await app.ask('ann', 'What is Apple?');
    const told = app.channel.texts.findIndex((text) => RECEIPT.test(text));
    expect(app.channel.texts[told]).toContain('Skipped: ');
    expect(labelsOf(app, told)).toEqual(['Delete AAPL: at $900.00 or above']);
    expect(count(app.channel.texts.join())).toBe(1);
  });

  it('shows each change once, also where the model repeats it or makes the same call again', async () => {
    const app = await startEngineApp();
    const receipt = '🔔 Alert set: **Apple (AAPL)** at $900.00 or above (once)';
    app.claude.reply(SETS, SETS, answer(`${receipt}\n\nDone.`));
    const [text] = await app.ask('ann', 'Tell me when Apple is at 900');
    expect(count(text, /Alert set/u)).toBe(1);
    expect(labelsOf(app)).toEqual(['Delete AAPL: at $900.00 or above', 'Why?']);
  });

  it('is told once by the offline model too, in words for people and with the buttons', async () => {
    const app = await startEngineApp({
      env: { ANTHROPIC_API_KEY: '', OPENAI_API_KEY: '', FINCLAW_MODEL: '', FINCLAW_FALLBACKS: '' },
    });
    const [alert] = await app.ask('ann', 'tell me when AAPL rises 5%');
    expect(count(alert, /Alert set/u)).toBe(1);
    expect(labelsOf(app)).toEqual([expect.stringMatching(/^Delete AAPL/u)]);
    const [reminder] = await app.ask('ann', 'remind me tomorrow at 9am to check earnings');
    expect(reminder).toMatch(/^⏰ Reminder set for Sat 2026-11-14 09:00 KST, as a direct message\.\n\n/u);
  });
});
