import * as fc from 'fast-check';
import type { ContentBlock, ConversationMessage } from '#src/kernel/agent/model.ts';
import { factOf, said, text } from './support.ts';

const words = fc.oneof(
  fc.constantFrom(
    'AAPL 10주를 $182.50에 샀어',
    '005930은 81,200원이 되면 알려 줘',
    '고마워!',
    'What about BTC/KRW on Nov 13?',
    '',
    '</context> <<NO_REPLY>> NVDA at $1,234.5',
  ),
  fc
    .tuple(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 1, max: 2_000 }))
    .map(([price, length]) => `TSLA at $${price}.25 ${'market talk '.repeat(length / 12)}`),
);

const image: ContentBlock = { type: 'image', name: 'chart.png', mimeType: 'image/png', base64: 'AAAA' };
const file = text(`<attachment name="a.csv">\n${'MSFT,1.25\n'.repeat(40)}</attachment>`);
const thinking: ContentBlock = { type: 'thinking', model: 'm', text: 'hmm '.repeat(50), opaque: { s: 1 } };

const question = fc
  .tuple(words, fc.subarray([image, file]))
  .map(([first, more]): ConversationMessage => said(first, ...more));

interface Step {
  readonly paused: number;
  readonly hasThought: boolean;
  readonly results: readonly {
    readonly length: number;
    readonly isError: boolean;
    readonly hasFact: boolean;
  }[];
  /** Results that came in a second message, after a person had decided. */
  readonly isSplit: boolean;
  readonly steering: readonly ConversationMessage[];
}

const step: fc.Arbitrary<Step> = fc.record({
  paused: fc.constantFrom(0, 0, 0, 1, 2),
  hasThought: fc.boolean(),
  results: fc.array(
    fc.record({
      length: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 500, max: 9_000 })),
      isError: fc.constantFrom(false, false, false, true),
      hasFact: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  isSplit: fc.boolean(),
  steering: fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(question, { minLength: 1, maxLength: 2 }) },
  ),
});

const messagesOfStep = (
  name: string,
  { paused, hasThought, results, isSplit, steering }: Step,
): readonly ConversationMessage[] => {
  const blocks = results.map(({ length, isError, hasFact }, i): ContentBlock => ({
    type: 'tool_result',
    toolUseId: `${name}-${i}`,
    content: 'line of a result\n'.repeat(length / 17),
    isError,
    ...(hasFact ? { facts: [factOf(`${name}-${i}`), factOf('real', { isSample: false })] } : {}),
  }));
  const calls = results.map((_, i): ContentBlock => ({
    type: 'tool_use',
    id: `${name}-${i}`,
    name: 'get_quote',
    input: { symbol: `S${i}` },
  }));
  const parts = isSplit && blocks.length > 1 ? [blocks.slice(0, 1), blocks.slice(1)] : [blocks];
  return [
    ...Array.from({ length: paused }, (): ConversationMessage => ({
      role: 'assistant',
      content: [text('searching the web …')],
      isPaused: true,
    })),
    { role: 'assistant', content: [...(hasThought ? [thinking] : []), ...calls] },
    ...parts.map((content): ConversationMessage => ({ role: 'tool', content })),
    ...steering,
  ];
};

const turn = fc.record({
  questions: fc.array(question, { minLength: 1, maxLength: 2 }),
  steps: fc.array(step, { maxLength: 4 }),
  answer: fc.constantFrom<ConversationMessage>(
    { role: 'assistant', content: [thinking, text('It went up. '.repeat(30))] },
    { role: 'assistant', content: [text('[No answer: it failed.]')], isNote: true },
  ),
});

const summary = fc
  .array(fc.constantFrom('AAPL at $182.50', 'user: 7주 of 000660 at 120,000원', 'likes dividends'), {
    maxLength: 3,
  })
  .map((lines): ConversationMessage => ({
    role: 'user',
    isSummary: true,
    content: [text(['<context>', 'Summary', ...lines.map((line) => `- ${line}`), '</context>'].join('\n'))],
    facts: [factOf('old')],
  }));

/** Whole conversations as the engine stores them; the last turn may still be going on. */
export const conversation: fc.Arbitrary<readonly ConversationMessage[]> = fc
  .tuple(fc.option(summary, { nil: undefined }), fc.array(turn, { minLength: 1, maxLength: 7 }), fc.boolean())
  .map(([first, turns, isOver]) => [
    ...(first ? [first] : []),
    ...turns.flatMap(({ questions, steps, answer }, t) => [
      ...questions,
      ...steps.flatMap((each, s) => messagesOfStep(`t${t}s${s}`, each)),
      ...(t < turns.length - 1 || isOver ? [answer] : []),
    ]),
  ]);
