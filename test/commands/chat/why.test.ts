import { describe, expect, it } from 'vitest';
import { why } from '#commands/chat/why.ts';
import type {
  ExplainedAnswer,
  Explanation,
  FactSource,
  NumberSource,
} from '#src/kernel/agent/answer-sources.ts';
import { asId, type InboxId } from '#src/kernel/ids.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { newId } from '#src/platform/ids.ts';
import { everyRow } from '#test/support/every-row.ts';
import { runCommand } from '../support.ts';

const KOREAN = { locale: 'ko', timeZone: 'Asia/Seoul' } as const;
const ENGLISH = { locale: 'en', timeZone: 'America/New_York' } as const;

type GivenFact = Partial<Omit<Fact, 'metric'>> & { readonly metric?: string };

/** As read from a transcript, which may have the metrics of older versions. */
const storedFact = (fact: GivenFact): Fact =>
  JSON.parse(
    JSON.stringify({
      entity: '005930.KS',
      metric: 'price',
      value: '102300',
      unit: 'KRW',
      asOf: '2026-11-13T06:30:00Z',
      source: 'Yahoo Finance',
      isSample: false,
      ...fact,
    }),
  );

const source = (fact: GivenFact = {}, more: Partial<FactSource> = {}): FactSource => ({
  fact: storedFact(fact),
  names: ['삼성전자', 'Samsung Electronics'],
  tool: 'get_quote',
  ...more,
});

const found = (numbers: readonly NumberSource[], more: Partial<ExplainedAnswer> = {}): Explanation => ({
  status: 'found',
  answeredAt: Temporal.Instant.from('2026-11-13T06:31:00Z'),
  isOwn: true,
  numbers,
  exemptCount: 0,
  uncheckedCount: 0,
  ...more,
});

const setUp = (explanation: Explanation) => {
  const asked: (InboxId | undefined)[] = [];
  const command = why({
    answerSources: {
      explain: async (_ctx, answered) => {
        asked.push(answered);
        return explanation;
      },
    },
  });
  const ask = (ctx: Partial<TurnContext> = KOREAN, args: readonly string[] = []) =>
    runCommand(command, args, ctx);
  return { ask, asked };
};

/** What stands behind the number. */
const lineOf = async (number: NumberSource, ctx: Partial<TurnContext> = KOREAN): Promise<string> => {
  const { content } = await setUp(found([number])).ask(ctx);
  return content.split('\n').slice(2).join('\n');
};

describe('/why', () => {
  it('calls the parts of the program by their names in the language of the reader', async () => {
    const number = {
      kind: 'fact',
      text: '10주',
      source: source({ source: 'ledger + Yahoo Finance' }),
    } as const;
    expect(await lineOf(number)).toMatch(/ · 거래 기록 \+ Yahoo Finance$/);
    expect(await lineOf(number, ENGLISH)).toMatch(/ · transaction records \+ Yahoo Finance$/);
  });

  it('tells of each number what it is, from which tool, of when and by whom (ko)', async () => {
    const { content, ephemeral } = await setUp(
      found([
        { kind: 'fact', text: '102,300원', source: source() },
        { kind: 'fact', text: '0.3%', source: source({ metric: 'changePercent', value: '0.30', unit: '%' }) },
        { kind: 'calculated', text: '300원', formula: '102,300 − 102,000', operands: [] },
        { kind: 'asked', text: '10주' },
        { kind: 'read', text: '12조 원' },
        { kind: 'answered', text: '11.47배' },
        { kind: 'unknown', text: '912조' },
      ]),
    ).ask();
    expect(ephemeral).toBe(true);
    expect(content).toBe(`**숫자의 근거** — 2026-11-13 15:31 KST 답변

- **102,300원** — 삼성전자 현재가 · \`get_quote\` · 2026-11-13 15:30 KST · Yahoo Finance
- **0.3%** — 삼성전자 등락률 · \`get_quote\` · 2026-11-13 15:30 KST · Yahoo Finance
- **300원** — 계산: \`102,300 − 102,000\`
- **10주** — 직접 말씀하신 숫자
- **12조 원** — 페이지나 파일 등에서 읽은 숫자
- **11.47배** — 앞선 답변에 있던 숫자
- **912조** — ⚠️ 근거를 찾지 못했습니다`);
  });

  it('tells it in English, in the zone of whoever wants to know', async () => {
    const { content } = await setUp(
      found(
        [
          { kind: 'fact', text: '₩102,300', source: source() },
          { kind: 'asked', text: '10 shares' },
          { kind: 'private', text: '$1,234' },
          { kind: 'unknown', text: '11.4x' },
        ],
        { isOwn: false, exemptCount: 1, uncheckedCount: 2 },
      ),
    ).ask(ENGLISH);
    expect(content).toBe(`**Where the numbers come from** — answer of 2026-11-13 01:31 EST

- **₩102,300** — Samsung Electronics price · \`get_quote\` · 2026-11-13 01:30 EST · Yahoo Finance
- **10 shares** — a number of the person who asked
- **$1,234** — from account data, which I explain in a direct chat only
- **11.4x** — ⚠️ no source found

The answer is so long that 2 numbers were not checked.
1 other number needs no source: list numbers, periods, parts of names and the like.`);
  });

  everyRow([
    { fact: { metric: 'rsi', parameter: '14' }, ko: '삼성전자 RSI (14)', en: 'Samsung Electronics RSI (14)' },
    {
      fact: { metric: 'close', day: '2026-11-10' },
      ko: '삼성전자 종가 (2026-11-10)',
      en: 'Samsung Electronics close (2026-11-10)',
    },
    {
      fact: { metric: 'changePercent', period: '1mo' },
      ko: '삼성전자 등락률 (1개월)',
      en: 'Samsung Electronics percent change (1 month)',
    },
    {
      fact: { metric: 'changePercent', period: '5d' },
      ko: '삼성전자 등락률 (5일)',
      en: 'Samsung Electronics percent change (5 days)',
    },
    {
      fact: { metric: 'periodHigh', period: 'ytd' },
      ko: '삼성전자 최고 (올해)',
      en: 'Samsung Electronics high (this year)',
    },
    {
      fact: { metric: 'periodLow', period: '2026-01-02' },
      ko: '삼성전자 최저 (2026-01-02 이후)',
      en: 'Samsung Electronics low (since 2026-01-02)',
    },
    {
      fact: { metric: 'valueAreaLow' },
      ko: '삼성전자 밸류 에어리어 하단',
      en: 'Samsung Electronics low end of the value area',
    },
    {
      fact: { metric: 'pointOfControlHigh' },
      ko: '삼성전자 최다 매물대 상단',
      en: 'Samsung Electronics high end of the point of control',
    },
    { fact: { metric: 'other', label: 'spread' }, ko: '삼성전자 spread', en: 'Samsung Electronics spread' },
    {
      fact: { metric: 'ofAnOlderVersion' },
      ko: '삼성전자 ofAnOlderVersion',
      en: 'Samsung Electronics ofAnOlderVersion',
    },
  ])('names $fact.metric as people do: $en', async ({ fact, ko, en }) => {
    const number = { kind: 'fact', text: '1', source: source(fact) } as const;
    expect(await lineOf(number)).toMatch(`- **1** — ${ko} · \`get_quote\``);
    expect(await lineOf(number, ENGLISH)).toMatch(`- **1** — ${en} · \`get_quote\``);
  });

  it('shows the expression of a calculation and what its numbers are', async () => {
    const number: NumberSource = {
      kind: 'calculated',
      text: '1,023,000원',
      formula: '102300 * 10',
      operands: [{ value: '102300', source: source() }, { value: '10' }],
      source: source({ metric: 'calculation', value: '1023000' }, { tool: 'calculate', names: [] }),
    };
    expect(await lineOf(number)).toBe(
      `- **1,023,000원** — 계산: \`102300 * 10\` · \`calculate\`
  - 삼성전자 현재가 ₩102,300 · \`get_quote\` · 2026-11-13 15:30 KST · Yahoo Finance`,
    );
    expect(await lineOf({ kind: 'calculated', text: '300', operands: [] })).toBe(
      '- **300** — 답변의 다른 숫자로 계산한 값',
    );
  });

  everyRow([
    { metric: 'changePercent', value: '-3.05', unit: '%', ko: '-3.05%', en: '-3.05%' },
    { metric: 'changePercent', value: '0.3', unit: '%', ko: '+0.3%', en: '+0.3%' },
    { metric: 'peTrailing', value: '34.567', unit: 'x', ko: '34.567배', en: '34.567x' },
    { metric: 'price', value: '304.1', unit: 'USD', ko: '$304.10', en: '$304.10' },
    { metric: 'volume', value: '18220000', unit: 'units', ko: '18,220,000', en: '18,220,000' },
    { metric: 'rsi', value: '61.2', unit: 'points', ko: '61.2', en: '61.2' },
    { metric: 'earningsDay', value: '2026-11-19', unit: 'date', ko: '2026-11-19', en: '2026-11-19' },
    { metric: 'other', value: '12', unit: 'contracts', ko: '12 contracts', en: '12 contracts' },
  ])('writes $value in $unit as a person reads it', async ({ metric, value, unit, ko, en }) => {
    const operand = { value, source: source({ metric, value, unit }) };
    const number = { kind: 'calculated', text: '1', operands: [operand] } as const;
    expect(await lineOf(number)).toContain(` ${ko} · \`get_quote\``);
    expect(await lineOf(number, ENGLISH)).toContain(` ${en} · \`get_quote\``);
  });

  it('says of sample data that it is made up, beside the number and below the list', async () => {
    const { content, facts } = await setUp(
      found([
        { kind: 'fact', text: '102,300원', source: source({ isSample: true, source: 'FinClaw sample' }) },
      ]),
    ).ask();
    expect(content).toMatch(/· 2026-11-13 15:30 KST · 샘플 데이터$/);
    expect(facts?.map(({ isSample }) => isSample)).toEqual([true]);
  });

  it('lists 25 numbers and says how many more there are', async () => {
    const numbers = Array.from({ length: 1_200 }, (_none, index): NumberSource => ({
      kind: 'unknown',
      text: `${index}원`,
    }));
    const { content } = await setUp(found(numbers)).ask();
    expect(content.split('\n').filter((line) => line.startsWith('- '))).toHaveLength(25);
    expect(content).toMatch(/- \*\*24원\*\* — .*\n… 외 1,175개$/);
  });

  it('shows hostile words of a tool as plain text, on one line', async () => {
    const hostile = '**x**\n# @everyone <@1> [a](https://evil.example) `';
    const text = await lineOf({
      kind: 'fact',
      text: '1',
      source: source(
        { entity: hostile, source: hostile, metric: hostile, parameter: hostile, asOf: 'soon' },
        { names: [hostile], tool: '' },
      ),
    });
    expect(text.split('\n')).toHaveLength(1);
    expect(text).not.toMatch(/@everyone|<@|\]\(|(?<!\\)\*\*x/);
  });

  everyRow([
    {
      status: 'none',
      en: 'I have not answered a question in this conversation yet.',
      ko: '이 대화에는 아직 답변이 없습니다.',
    },
    {
      status: 'gone',
      en: 'I no longer have the conversation of that answer, so I cannot say where its numbers come from.',
      ko: '그 답변의 대화 기록이 남아 있지 않아 숫자의 근거를 알려 드릴 수 없습니다.',
    },
    {
      status: 'other',
      en: '`/why` explains my answers to questions, and that message is not one of them.',
      ko: '`/why`는 질문에 대한 답변의 근거를 알려 드립니다. 그 메시지는 질문에 대한 답변이 아닙니다.',
    },
  ] as const)('says in one sentence why it explains nothing: $status', async ({ status, en, ko }) => {
    const { ask } = setUp({ status });
    expect(await ask(ENGLISH)).toEqual({ ephemeral: true, content: en });
    expect(await ask(KOREAN)).toEqual({ ephemeral: true, content: ko });
  });

  it('says so where an answer has no numbers', async () => {
    const { ask } = setUp(found([], { exemptCount: 3 }));
    expect((await ask(ENGLISH)).content).toBe('That answer has no numbers that need a source.');
  });

  it('tells in a shared chat how to point at an answer of another conversation', async () => {
    const { content } = await setUp({ status: 'none' }).ask({ ...ENGLISH, chatType: 'channel' });
    expect(content).toContain('send `/why` in its thread or as a reply to it');
  });

  it('explains the answer that a button names, and nothing else that is typed behind it', async () => {
    const { ask, asked } = setUp({ status: 'gone' });
    const id = newId<InboxId>();
    await ask(ENGLISH, [id.toUpperCase()]);
    await ask(ENGLISH, []);
    expect(asked).toEqual([asId<InboxId>(id), undefined]);
    for (const args of [['did', 'Apple', 'fall?'], [id, id], ['🧮'.repeat(10_000)]])
      expect((await ask(ENGLISH, args)).content).toBe('Usage: `/why`');
    expect(asked).toHaveLength(2);
  });
});
