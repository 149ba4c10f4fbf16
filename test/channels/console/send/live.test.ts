import { describe, expect, it } from 'vitest';
import { TURN_MS } from '#channels/console/send/live.ts';
import { asId, type DeliveryId } from '#src/kernel/ids.ts';
import type { LiveAnswer } from '#src/kernel/chat/live-answer.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { replyTargetOf } from '#src/kernel/chat/message.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { settle } from '../support.ts';
import { CTRL_C, openTerminal } from '../terminal-support.ts';

const PROMPT = '›';
const SIGN = /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /u;

/** A terminal of a person who has asked something, and the answer that is being generated for them. */
const asked = async (options: Parameters<typeof openTerminal>[0] & { readonly reader?: Locale } = {}) => {
  const { reader = 'en', ...rest } = options;
  const opened = await openTerminal({ columns: 40, rows: 20, ...rest });
  const before = opened.screen.lines.length - 1;
  await opened.type('question\r');
  const live = opened.channel.openLive?.(replyTargetOf(inboundMessage()), {
    mode: 'stream',
    locale: reader,
    deliveryId: asId<DeliveryId>('live'),
    onPosted: async () => undefined,
  });
  if (!live) throw new Error('Nothing is shown live here');
  /** What stands below the welcome, without the turning sign. */
  const seen = (): readonly string[] =>
    opened.screen.lines.slice(before).map((line) => line.replace(SIGN, '* '));
  return { ...opened, live: live satisfies LiveAnswer, seen };
};

describe('an answer in the making', () => {
  it('shows what is being done in words, above the line that can be typed meanwhile', async () => {
    const { live, seen, clock } = await asked();
    live.showStatus('Looking up 삼성전자…');
    expect(seen()).toEqual(['› question', '* Looking up 삼성전자…', PROMPT]);
    live.showStatus('Thinking…');
    await clock.advance(TURN_MS);
    expect(seen()).toEqual(['› question', '* Thinking…', PROMPT]);
  });

  it('grows in place, and is printed once when it is complete', async () => {
    const { live, seen, clock, answer, host } = await asked();
    live.showStatus('Writing the answer…');
    live.showText('**Samsung** is');
    await clock.advance(TURN_MS);
    expect(seen()).toEqual(['› question', 'Samsung is', '* Writing the answer…', PROMPT]);
    live.showText('**Samsung** is up by +1.5% today, and it was down yesterday.\n- one');
    await clock.advance(TURN_MS);
    expect(seen()).toEqual([
      '› question',
      'Samsung is up by +1.5% today, and it was',
      'down yesterday.',
      '• one',
      '* Writing the answer…',
      PROMPT,
    ]);
    expect(await live.end('replaced')).toBeUndefined();
    expect(seen()).toEqual(['› question', PROMPT]);
    await answer('The whole answer.');
    host.settleNext();
    await settle();
    expect(seen()).toEqual(['› question', 'The whole answer.', '', PROMPT]);
  });

  it('becomes shorter where the model begins again', async () => {
    const { live, seen, clock } = await asked();
    live.showText('one\ntwo\nthree');
    live.showText('ONE');
    await clock.advance(TURN_MS);
    expect(seen()).toEqual(['› question', 'ONE', PROMPT]);
  });

  it('shows only its end where it is longer than the screen, and leaves nothing behind', async () => {
    const { live, seen, clock, answer } = await asked({ rows: 10 });
    const lines = Array.from({ length: 30 }, (_none, index) => `line ${index}`);
    for (let count = 1; count <= 30; count += 1) {
      live.showText(lines.slice(0, count).join('\n'));
      await clock.advance(TURN_MS);
    }
    expect(seen()).toEqual(['› question', ...lines.slice(-6), PROMPT]);
    await live.end('replaced');
    await answer(lines.join('\n'));
    expect(seen()).toEqual(['› question', ...lines, '', PROMPT]);
  });

  it('leaves what is being typed where it is, also on several rows', async () => {
    const { live, seen, clock, type, host } = await asked();
    live.showStatus('Thinking…');
    const typed = `${'가나다라 '.repeat(8)}end`;
    await type(typed);
    live.showText('The answer so far.');
    await clock.advance(3 * TURN_MS);
    expect(seen().slice(0, 3)).toEqual(['› question', 'The answer so far.', '* Thinking…']);
    expect(seen().slice(3).join('').replaceAll(/\s/g, '')).toBe(`${PROMPT}${typed}`.replaceAll(/\s/g, ''));
    await type('\r');
    expect(host.bodies).toEqual(['question', typed]);
  });

  it('moves below what is sent meanwhile', async () => {
    const { live, seen, clock, type } = await asked();
    live.showStatus('Thinking…');
    await type('second\r');
    expect(seen()).toEqual(['› question', '› second', '* Thinking…', PROMPT]);
    await type('half');
    await type(CTRL_C);
    await clock.advance(TURN_MS);
    expect(seen()).toEqual(['› question', '› second', '› half^C', '* Thinking…', PROMPT]);
  });

  it('stays below what is printed meanwhile, such as an alert', async () => {
    const { live, seen, answer, clock } = await asked();
    live.showStatus('Thinking…');
    await answer('🔔 AAPL');
    await clock.advance(TURN_MS);
    expect(seen()).toEqual(['› question', '🔔 AAPL', '', '* Thinking…', PROMPT]);
  });

  it('takes the place of the waiting sign', async () => {
    const { live, seen, channel } = await asked();
    await channel.sendTyping?.(replyTargetOf(inboundMessage()));
    expect(seen()).toEqual(['› question', '…', PROMPT]);
    live.showStatus('Thinking…');
    expect(seen()).toEqual(['› question', '* Thinking…', PROMPT]);
    await channel.sendTyping?.(replyTargetOf(inboundMessage()));
    expect(seen()).toEqual(['› question', '* Thinking…', PROMPT]);
  });

  it('shows nothing and sets no timer after its end', async () => {
    const { live, seen, clock } = await asked();
    live.showStatus('Thinking…');
    await live.end('dropped');
    live.showStatus('too late');
    live.showText('too late');
    expect(clock.pendingTimers).toBe(0);
    expect(seen()).toEqual(['› question', PROMPT]);
  });

  it('shows no escape sequences of its words, and has no colour where there is none', async () => {
    const { live, screen, clock } = await asked();
    screen.take();
    live.showText('a\u001b[2J **b**');
    await clock.advance(TURN_MS);
    expect(screen.take()).not.toMatch(/\u001b\[(?:2J|\d*m)/);
  });

  it('has the colours of its reader', async () => {
    const { live, screen } = await asked({ hasColour: true, reader: 'ko' });
    screen.take();
    live.showText('▲ 300');
    expect(screen.take()).toContain('\u001b[31m▲ 300\u001b[39m');
  });
});

describe('where nothing can be redrawn', () => {
  it.each([
    ['a pipe', { isTTY: false }],
    ['a terminal that cannot move its cursor', { canRedraw: false }],
  ])('nothing is shown live: %s', async (_what, options) => {
    const { channel } = await openTerminal(options);
    expect(channel.openLive).toBeUndefined();
  });
});
