import { expect, it } from 'vitest';
import type { AnthropicBody } from '#test/fakes/anthropic/body.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import { answer, holds } from '#test/support/engine-app.ts';
import type { Place, PlatformKit, Seen } from '#test/support/platforms/driver.ts';
import { eventually, readIn, type Talk } from '#test/support/platforms/talk.ts';
import type { LiveRooms } from './live.ts';

const LOOKS_UP: FakeReply = {
  kind: 'answer',
  toolCalls: [{ name: 'get_quote', input: { symbols: ['삼성전자'] } }],
};
/** The tool said another price, and nothing of a market value or a ratio. */
const WRONG = '삼성전자(005930)는 현재 231,700원입니다. 시가총액은 약 912조 원, PER은 11.4배입니다.';
/** The price as the tool said it, which goes on by the clock. */
const toldPrice = ({ messages }: AnthropicBody): string =>
  /₩([\d,]+)/.exec(JSON.stringify(messages.at(-3)))?.[1] ?? 'nothing';
const right = (price: string): string => `삼성전자(005930)는 현재 ${price}원입니다. 바로잡았습니다.`;
const QUESTION = '삼성전자 어때?';

const isWhole =
  (words: string) =>
  ({ text, isUnderWay }: Seen): boolean =>
    !isUnderWay && text.includes(words);

/** What people see of the numbers of an answer that the tools did not give. */
export const groundingCases = ({ can }: PlatformKit, talk: () => Talk, rooms: LiveRooms): void => {
  const places = (): readonly (readonly [string, Place])[] => {
    const { platform } = talk();
    if (!can.rooms) return [['terminal', platform.direct(platform.addPerson('minsu', { locale: 'ko' }))]];
    return (can.stream ? (['off', 'stream'] as const) : (['off'] as const)).map((mode) => [
      mode,
      rooms.of(mode),
    ]);
  };
  it('are corrected before the answer stands there, with streaming on and off', async () => {
    const { platform, sees, claude } = talk();
    const minsu = platform.addPerson('minsu', { locale: 'ko' });
    for (const [mode, place] of places()) {
      const before = platform.seenBy(minsu, place).length;
      const requests = claude.history.length;
      const { promise, resolve } = Promise.withResolvers<void>();
      let price = '';
      claude.reply(LOOKS_UP, answer(WRONG), (body) => {
        price = toldPrice(body);
        return holds(promise, answer(right(price)));
      });
      platform.say(minsu, place, QUESTION, { mention: true });
      await eventually(() => claude.history.length === requests + 3);
      // The model reads what the tools said; the person sees nothing of the first answer any more.
      expect(price).toMatch(/^\d[\d,]+$/);
      expect(readIn(claude.history.at(-1)?.body)).toContain(
        `get_quote says 005930.KS price ${price.replaceAll(',', '')} KRW`,
      );
      if (mode === 'stream')
        await eventually(() => !platform.seenBy(minsu, place).some(({ text }) => text.includes('231,700')));
      resolve();
      await sees(minsu, place, isWhole('바로잡았습니다'));
      const seen = platform.seenBy(minsu, place).slice(before);
      expect(seen).toHaveLength(1);
      expect(seen[0]?.text).toContain(right(price));
      expect(seen[0]?.text).not.toMatch(/231,700|912조|11\.4배|출처를 확인|context/);
      expect(claude.history).toHaveLength(requests + 3);
    }
  });

  it('are marked where the model insists on them', async () => {
    const { platform, sees, claude } = talk();
    const minsu = platform.addPerson('minsu', { locale: 'ko' });
    for (const [, place] of places()) {
      const requests = claude.history.length;
      claude.reply(LOOKS_UP, answer(WRONG), answer(WRONG));
      platform.say(minsu, place, QUESTION, { mention: true });
      const { text } = await sees(minsu, place, isWhole('출처를 확인하지 못한 수치'));
      expect(text).toMatch(/231,700원\s?⚠/u);
      expect(text).toMatch(/912조 ?원?\s?⚠/u);
      expect(claude.history).toHaveLength(requests + 3);
    }
  });
};
