import { splitMessage } from '#src/chat/delivery/response-formatter.ts';
import { median, summarize } from './statistics.ts';

const TARGET_CHARS = 200_000;
const RUNS = 15;
const LIMITS = [2_000, 4_000] as const;
const BAR_MS = 50;

const times = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

/** Of everything that answers are made of, in both languages, with long stretches that offer no good place. */
const section = (number: number): string =>
  [
    `## ${number}. 시장 요약 — Market summary`,
    `애플은 **304.12달러**로 마감했습니다 (전일 대비 *-0.59%*). ${'투자자들은 금리와 실적을 함께 지켜보고 있습니다. '.repeat(12)}`,
    `Apple closed at **304.12 USD** ([source](https://example.com/quotes?symbol=AAPL&day=${number})), \`-0.59%\` on the day. ${'Volume was below its average, and ~~nobody~~ few expected more. '.repeat(10)}`,
    times(
      12,
      (index) =>
        `${index % 3 === 0 ? '' : '  '}- item ${index}: **up** ${index}.${number} % 📈 ${'and why '.repeat(6)}`,
    ),
    times(
      8,
      (index) => `${index + 1}. step ${index} with \`code\` and [a link](https://example.com/${index})`,
    ),
    `| 종목 | Price | Change |\n| --- | ---: | ---: |\n${times(20, (index) => `| SYM${index} | ${100 + index}.${number} | ${index - 10} % |`)}`,
    `\`\`\`ts\n${times(25, (index) => `const value${index} = compute(${index}, 'a text with "quotes"'); // 설명 ${index}`)}\n\`\`\``,
    `> ${'A quotation that goes on for a while, as analysts do. '.repeat(8)}\n> — 애널리스트 👩‍💻`,
    '가나다라마바사아자차카타파하'.repeat(15),
    `https://example.com/${'long-path/'.repeat(25)}`,
  ].join('\n\n');

const mixedMarkdown = (): string => {
  const sections: string[] = [];
  for (let length = 0; length < TARGET_CHARS; length += sections.at(-1)?.length ?? 0)
    sections.push(section(sections.length + 1));
  return sections.join('\n\n').slice(0, TARGET_CHARS);
};

/** How long the longest answer that can be thought of takes to be cut into messages of a platform. */
export const benchSplitMessage = (): void => {
  const text = mixedMarkdown();
  for (const limit of LIMITS) {
    const samples: number[] = [];
    let parts = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const startedAtMs = performance.now();
      parts = splitMessage(text, limit).length;
      samples.push(performance.now() - startedAtMs);
    }
    const verdict = median(samples) <= BAR_MS ? '' : ' (missed)';
    console.log(
      `${TARGET_CHARS / 1_000} KB of Markdown in ${parts} parts of ${limit}: ${summarize(samples, 'ms')}; bar ${BAR_MS} ms${verdict}`,
    );
  }
};
