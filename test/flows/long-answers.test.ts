import { describe, expect, it } from 'vitest';
import { failureTexts } from '#src/chat/delivery/texts.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import { answer, startEngineApp } from '#test/support/engine-app.ts';

const TABLE = ['| 종목 | 가격 |', '|---|---:|', '| 삼성전자 | 102,300 |', '| Apple | 304.12 |'].join('\n');
const CODE = Array.from({ length: 60 }, (_, line) => `const price${line} = ${line};`).join('\n');

describe('a long answer', () => {
  it('arrives in order and within the limit: tables drawn, code closed and opened again, nothing lost', async () => {
    const app = await startEngineApp({
      channel: { maxMessageLength: 400 },
      // Its prices come from no tool.
      config: { grounding: { mode: 'off' } },
    });
    app.claude.reply(answer(`비교입니다.\n\n${TABLE}\n\n\`\`\`ts\n${CODE}\n\`\`\`\n\n끝입니다.`));
    const parts = await app.ask('ann', '비교해 주세요.');
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts) {
      expect(part.length).toBeLessThanOrEqual(400);
      expect((part.match(/^```/gm) ?? []).length % 2).toBe(0);
    }
    // A Korean syllable is two columns wide: the prices stand below each other.
    expect(parts[0]).toContain('삼성전자  102,300\nApple      304.12');
    const code = parts.flatMap((part) => part.match(/^const price\d+ = \d+;$/gm) ?? []);
    expect(code.join('\n')).toBe(CODE);
    expect(parts.at(-1)).toContain('끝입니다.');
  });

  it('of nothing but blanks becomes a sentence, never silence', async () => {
    const app = await startEngineApp();
    app.claude.reply(answer('<<NEED_INPUT>>'));
    expect(await app.ask('ann', 'Well?')).toEqual([failureTexts('en').emptyAnswer()]);
  });
});

describe('a command that rests after each use', () => {
  it('says when it can be used again, to that person alone', async () => {
    const app = await startEngineApp();
    await app.ask('ann', 'How are the markets?');
    await app.ask('ann', '/export');
    expect(await app.ask('ann', '/export', { locale: 'en' })).toEqual([
      commandTexts('en').cooldown({ name: 'export', wait: 'in 10 seconds' }),
    ]);
    expect(await app.ask('bob', '/export', { locale: 'en' })).toEqual([expect.stringMatching(/nothing/i)]);
    await app.clock.advance(10_000);
    await app.ask('ann', '/export');
    expect(app.channel.sent.at(-1)?.payload.media).toHaveLength(1);
  });
});
