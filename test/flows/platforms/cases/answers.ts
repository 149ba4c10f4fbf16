import { expect, it } from 'vitest';
import { blocksOf } from '#test/fakes/anthropic/body.ts';
import { answer } from '#test/support/engine-app.ts';
import type { PlatformKit, Seen } from '#test/support/platforms/driver.ts';
import { readIn, type Talk } from '#test/support/platforms/talk.ts';

/** The smallest picture there is. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const CODE = Array.from({ length: 220 }, (_, line) => `const price${line} = ${line} * 1_000;`);
const ROWS = Array.from({ length: 12 }, (_, row) => `| 종목${row} | ${(row + 1) * 1_000} |`);
const LONG = [
  '비교입니다.',
  ['| 종목 | 가격 |', '|---|---:|', ...ROWS].join('\n'),
  `\`\`\`ts\n${CODE.join('\n')}\n\`\`\``,
  '마지막 문장입니다.',
].join('\n\n');

const fences = ({ text }: Seen): number => (text.match(/^```/gm) ?? []).length;

/** What answers look like when they arrive. */
export const answerCases = ({ can, name }: PlatformKit, talk: () => Talk): void => {
  it('a long answer arrives whole and in order, in parts that the platform takes, code closed in each', async () => {
    const { platform, sees, claude } = talk();
    const ann = platform.addPerson('ann');
    const direct = platform.direct(ann);
    // The model insists on its prices, which come from no tool.
    claude.reply(answer(LONG), answer(LONG));
    platform.say(ann, direct, '비교해 주세요');
    await sees(ann, direct, '마지막 문장입니다.');
    const parts = platform.seenBy(ann, direct);
    if (can.rooms) expect(parts.length).toBeGreaterThan(1);
    expect(parts.map(fences).filter((count) => count % 2 === 1)).toEqual([]);
    const all = parts.map(({ text }) => text).join('\n');
    expect(all.match(/^const price\d+ = \d+ \* 1_000;$/gm)).toEqual(CODE);
    for (const row of ROWS)
      expect(all.replaceAll(/[,|│\s]|⚠️/gu, '')).toContain(row.replaceAll(/[|\s]/g, ''));
    expect(all.indexOf('비교입니다.')).toBeLessThan(all.indexOf('종목0'));
  });

  it.runIf(can.files)(
    'a picture is seen by the model, a table is read, and what cannot be read is named',
    async () => {
      const { platform, sees, claude } = talk();
      const ann = platform.addPerson('ann');
      const direct = platform.direct(ann);
      platform.say(ann, direct, 'what is in these?', {
        files: [
          { name: 'chart.png', mimeType: 'image/png', bytes: PIXEL },
          { name: 'holdings.csv', mimeType: 'text/csv', bytes: 'symbol,count\n005930,17\n' },
          { name: 'broken.csv', mimeType: 'text/csv', bytes: Buffer.from('89ff00', 'hex') },
        ],
      });
      await sees(ann, direct, 'what is in these?');
      const { body } = claude.history.at(-1) ?? {};
      const images = blocksOf(body?.messages.at(-1)?.content ?? []).filter(({ type }) => type === 'image');
      expect(images).toEqual([
        expect.objectContaining({ source: expect.objectContaining({ data: PIXEL.toString('base64') }) }),
      ]);
      expect(readIn(body)).toContain('<attachment name="holdings.csv">\nsymbol,count\n005930,17');
      expect(readIn(body)).toContain('attached, but not readable: broken.csv');
    },
  );

  it.each([
    ['ko', '오늘 시장 어때요?', /오류 [0-9a-f]{8}/],
    ['en', 'How are the markets today?', /error [0-9a-f]{8}/],
  ] as const)(
    'a failure is one sentence with its number, in the language of the question (%s)',
    async (...row) => {
      const [locale, question, sentence] = row;
      const { platform, sees, claude } = talk();
      const ann = platform.addPerson('ann', { locale });
      const direct = platform.direct(ann);
      claude.reply({ kind: 'answer', text: '', stopReason: 'refusal' });
      platform.say(ann, direct, question);
      await sees(ann, direct, sentence);
      expect(platform.seenBy(ann, direct)).toHaveLength(1);
    },
  );

  it.runIf(can.rooms)('an answer that names everybody calls nobody', async () => {
    const { platform, sees, claude } = talk();
    const ann = platform.addPerson('ann');
    const room = platform.addRoom('quiet');
    claude.reply(
      answer(
        'Hear me @everyone @here @channel <!channel> <!here> <!everyone> <!subteam^S0GROUP> <@&1> done.',
      ),
    );
    platform.say(ann, room, 'wake them all up', { mention: true });
    expect((await sees(ann, room, 'done.')).pings).toEqual([]);
  });

  it.runIf(name !== 'console')('a quote that the model looked up is marked as a sample', async () => {
    const { platform, sees, claude } = talk();
    const ann = platform.addPerson('ann');
    const direct = platform.direct(ann);
    claude.reply(
      { kind: 'answer', toolCalls: [{ name: 'get_quote', input: { symbols: ['AAPL'] } }] },
      answer('Apple stands well.'),
    );
    platform.say(ann, direct, 'How is Apple?');
    expect((await sees(ann, direct, 'Apple stands well.')).text).toContain('SAMPLE');
  });
};
