import { describe, expect } from 'vitest';
import type { Intent } from '#src/features/intents/intent.ts';
import { readIntent } from '#src/features/intents/read-intent.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { everyRow } from '#test/support/every-row.ts';

const symbols = createSymbolSearch();
const today = Temporal.PlainDate.from('2026-11-13');
const read = (sentence: string): Intent => readIntent(sentence, symbols, { today });

describe('taxes, weights and what is not recorded, in one’s own words', () => {
  everyRow([
    ['2025년 해외주식 양도세 얼마야?', 'get_tax_report', { year: 2025 }],
    ['작년 양도소득세 계산해줘', 'get_tax_report', { year: 2025 }],
    ['올해 내 세금 알려줘', 'get_tax_report', { year: 2026 }],
    ['how much tax do I owe for 2025?', 'get_tax_report', { year: 2025 }],
    ['my capital gains tax report', 'get_tax_report', {}],
    ['내 포트폴리오 리밸런싱 해줘', 'plan_rebalance', {}],
    ['새 돈 100만원으로 리밸런싱 해줘', 'plan_rebalance', { new_money: '1000000 KRW' }],
    [
      '애플 40 삼성전자 60으로 리밸런싱해줘',
      'plan_rebalance',
      {
        targets: [
          { name: '애플', percent: 40 },
          { name: '삼성전자', percent: 60 },
        ],
      },
    ],
    [
      'rebalance my portfolio to AAPL 60 cash 40',
      'plan_rebalance',
      {
        targets: [
          { name: 'AAPL', percent: 60 },
          { name: 'cash', percent: 40 },
        ],
      },
    ],
    ...[
      '배당 빠진 거 있어?',
      '분할 반영 안 된 거 있어?',
      '내 포트폴리오에 누락된 배당금 있나?',
      '애플 액면분할 기록 안 된 거 있는지 확인해줘',
      '놓친 배당 있으면 알려줘',
      '병합 반영됐어?',
      'any missing splits or dividends?',
      'did I forget to record any dividends?',
      'which dividends are not recorded yet?',
      'are there unrecorded stock splits in my portfolio?',
    ].map((sentence) => [sentence, 'get_portfolio', { view: 'actions' }] as const),
  ] as const)('%s', (sentence, tool, input) => {
    expect(read(sentence)).toEqual({ kind: 'call', tool, input });
  });

  everyRow([
    '양도세가 뭐야?',
    'what is rebalancing?',
    '삼성전자 주가 얼마야',
    '애플 배당 언제 줘?',
    '삼성전자 배당 36100원 들어왔어',
    '애플 배당이 주가에 반영됐어?',
    '배당락이 뭐야?',
    'what is a stock split?',
    'I missed the dividend of Apple, why did the price fall?',
    'record a dividend of 12 dollars for AAPL',
  ])('does not take %s for them', (sentence) => {
    const intent = read(sentence);
    const { tool, input } = intent.kind === 'call' ? intent : { tool: '', input: {} };
    expect(['get_tax_report', 'plan_rebalance']).not.toContain(tool);
    expect(input).not.toHaveProperty('view');
  });
});
