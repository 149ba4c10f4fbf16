import { describe, expect, it } from 'vitest';
import { rowProblemText } from '#src/features/portfolio/import/problems.ts';
import { textFile } from './file-support.ts';

const IB = [
  'Statement,Header,Field Name,Field Value',
  'Statement,Data,BrokerName,Interactive Brokers LLC',
  'Account Information,Header,Field Name,Field Value',
  'Account Information,Data,Base Currency,USD',
  'Corporate Actions,Header,Asset Category,Currency,Report Date,Date/Time,Description,Quantity,Proceeds,Value,Realized P/L,Code',
];
const action = (what: string, quantity: number, proceeds = 0): string =>
  `Corporate Actions,Data,Stocks,USD,2026-02-02,"2026-02-01, 20:25:00","${what}",${quantity},${proceeds},980.5,0,`;
const MERGED = 'MSFT(US5949181045) Merged(Acquisition)  WITH US0378331005 1 for 2';
const OLD = '(MSFT, MICROSOFT CORP, US5949181045)';
const NEW = '(AAPL, APPLE INC, US0378331005)';
const SCHWAB = ['"Date","Action","Symbol","Description","Quantity","Price","Fees & Comm","Amount"'];
const FIDELITY = [
  'Run Date,Action,Symbol,Description,Type,Price ($),Quantity,Commission ($),Fees ($),Accrued Interest ($),Amount ($),Settlement Date',
];
const KOREAN = ['거래일자,거래구분,종목명,수량,단가,거래금액,통화'];

const entriesOf = async (lines: readonly string[]): Promise<readonly string[]> => {
  const { entries, errors } = await textFile(lines.join('\n'));
  const reasons = errors.map(({ problem }) => problem.kind);
  return [
    ...entries.map(({ entry }) =>
      [
        entry.kind,
        'instrument' in entry ? entry.instrument?.symbol : '',
        'quantity' in entry ? entry.quantity?.toFixed() : '',
        'toInstrument' in entry ? `${entry.toInstrument.symbol} ${entry.toQuantity.toFixed()}` : '',
        'ratio' in entry ? entry.ratio.toFixed() : '',
        'price' in entry && entry.price ? `@${entry.price.toFixed()}` : '',
      ]
        .filter(Boolean)
        .join(' '),
    ),
    ...reasons,
  ];
};

const RECORDED: readonly (readonly [why: string, lines: readonly string[], entries: readonly string[]])[] = [
  [
    'two lines of Interactive Brokers',
    [...IB, action(`${MERGED} ${NEW}`, 5), action(`${MERGED} ${OLD}`, -10)],
    ['merger MSFT 10 AAPL 5'],
  ],
  [
    'cash alone at Interactive Brokers, which is a sale',
    [...IB, action(`MSFT(US5949181045) Merged(Acquisition)  FOR USD 25.00 PER SHARE ${OLD}`, -10, 250)],
    ['sell MSFT 10 @25'],
  ],
  [
    'two lines of Schwab',
    [
      ...SCHWAB,
      '"02/02/2026","Stock Merger","MSFT","MICROSOFT CORP","-10","","",""',
      '"02/02/2026","Stock Merger","AAPL","APPLE INC","5","","",""',
    ],
    ['merger MSFT 10 AAPL 5'],
  ],
  [
    'two lines of a Korean broker, also of one company, which is a split',
    [
      ...KOREAN,
      '2026-03-02,합병출고,삼성전자,10,0,0,KRW',
      '2026-03-02,합병입고,카카오,5,0,0,KRW',
      '2026-03-05,주식합병출고,삼성전자,10,0,0,KRW',
      '2026-03-05,주식합병입고,삼성전자,1,0,0,KRW',
    ],
    ['merger 005930.KS 10 035720.KS 5', 'split 005930.KS 0.1'],
  ],
  [
    'no lines with money beside the shares, and no two mergers of one day',
    [
      ...IB,
      action(
        'MSFT(US5949181045) CASH and STOCK MERGER (Acquisition) AAPL 1 FOR 2 AND USD 3 (AAPL, APPLE INC, US0378331005)',
        5,
      ),
      action(
        'MSFT(US5949181045) CASH and STOCK MERGER (Acquisition) AAPL 1 FOR 2 AND USD 3 (MSFT, MICROSOFT CORP, US5949181045)',
        -10,
        30,
      ),
    ],
    ['reorganisation', 'reorganisation'],
  ],
];

const TOLD: readonly (readonly [lines: readonly string[], ko: string, en: string])[] = [
  [
    [...IB, action('MMM(US88579Y1010) Spinoff  1 for 4 (SOLV, SOLVENTUM CORP-W/I, US83444M1018)', 2.5)],
    '`/portfolio 인적분할 MMM SOLV 2.5주 비율% 2026-02-02`',
    '`/portfolio spin-off MMM SOLV 2.5 PERCENT% 2026-02-02`',
  ],
  [
    [
      ...FIDELITY,
      '02/03/2026,"DISTRIBUTION SPINOFF FROM:(GE ) GE VERNOVA INC COM (GEV) (Cash)",GEV,"GE VERNOVA INC COM",Cash,,25,,,,0,02/03/2026',
    ],
    '`/portfolio 인적분할 GE GEV 25주 비율% 2026-02-03`',
    '`/portfolio spin-off GE GEV 25 PERCENT% 2026-02-03`',
  ],
  [
    [
      ...FIDELITY,
      '02/03/2026,"MERGER MER PAYOUT #REOR M0051 MICROSOFT (MSFT) (Cash)",MSFT,"MICROSOFT",Cash,,-10,,,,250,02/03/2026',
    ],
    '`/portfolio 매도 MSFT 10주 단가 2026-02-03`',
    '`/portfolio sell MSFT 10 PRICE 2026-02-03`',
  ],
  [
    [...KOREAN, '2026-03-03,인적분할입고,SK스퀘어,39,0,0,KRW'],
    '`/portfolio 인적분할 기존종목 SK스퀘어 39주 비율% 2026-03-03`',
    '`/portfolio spin-off OLD SK스퀘어 39 PERCENT% 2026-03-03`',
  ],
  [
    [...KOREAN, '2026-03-04,유상감자,삼성전자,3,0,0,KRW'],
    '`/portfolio 유상감자 삼성전자 3주 금액 2026-03-04`',
    '`/portfolio capital-return 삼성전자 3 shares AMOUNT 2026-03-04`',
  ],
  [
    [...IB, action('GME(US36467W1099) CUSIP/ISIN Change to (US36467W1090) (GME, GAMESTOP, US36467W1090)', 5)],
    '`/portfolio 합병 기존종목 수량 새종목 수량 2026-02-02`',
    '`/portfolio merger OLD QUANTITY NEW QUANTITY 2026-02-02`',
  ],
];

describe('a reorganisation in a broker’s file', () => {
  it.each(RECORDED)('records %s', async (_why, lines, entries) => {
    expect(await entriesOf(lines)).toEqual(entries);
  });

  it('names the command with what the line says where the file lacks the cost or the other side', async () => {
    for (const [lines, ko, en] of TOLD) {
      const { entries, errors } = await textFile(lines.join('\n'));
      expect(entries).toEqual([]);
      const [problem] = errors.map((error) => error.problem);
      expect(problem && rowProblemText(problem, 'ko')).toContain(ko);
      expect(problem && rowProblemText(problem, 'en')).toContain(en);
    }
  });
});
