import { describe, expect, it } from 'vitest';
import { instrumentOf } from '#src/kernel/market/ledger.ts';
import { rowProblemText } from '#src/features/portfolio/import/problems.ts';
import { rowKindOf } from '#src/features/portfolio/import/columns/row-kinds.ts';
import { dateOrderOf } from '#src/features/portfolio/import/columns/cells.ts';
import { read, sample, short, textFile } from './file-support.ts';

/** A purchase on each of these days. */
const boughtOn = (...dates: readonly string[]) =>
  read(['date,kind,symbol,quantity,price', ...dates.map((date) => `${date},buy,AAPL,1,100`)].join('\n'));

/** The entries of a file and the problems of its other lines. */
const told = async (...lines: readonly string[]) => {
  const { entries, errors } = await textFile(lines.join('\n'));
  return [...entries.map(({ entry }) => short(entry)), ...errors.map(({ problem }) => problem.kind)];
};

describe("a broker's file", () => {
  it('names the first line whose balance differs from the computed cash', async () => {
    const [kiwoom, header] = [
      '거래일자,거래구분,종목코드,수량,단가,거래금액,수수료,예수금잔고',
      '2026-03-02,이체입금,,,,100000,0,150000',
    ];
    const rest = [
      '2026-03-03,매수,5930,1,70000,70000,10,79990',
      '2026-03-04,매도,5930,1,71000,71000,0,150500',
    ];
    const { checks } = await textFile(
      [kiwoom, header, ...rest, '2026-03-05,옵션매수,,,,,0,140500'].join('\n'),
    );
    const [cash] = checks.cash;
    expect(cash).toMatchObject({ compared: 4, differences: 1, first: { line: 4 }, unread: [{ line: 5 }] });
    expect(
      [cash?.opening, cash?.first?.reported, cash?.first?.computed, cash?.unread[0]?.amount].map(String),
    ).toEqual(['50000', '150500', '150849', '-10000']);
  });

  it('is recorded in order of time, whether it lists the oldest or the newest first', async () => {
    const head = '거래일자,거래구분,종목코드,수량,단가,수수료,제세금,예수금잔고';
    const [bought, sold, again] = [
      '2026-03-03,매수,005930,2,180,0,0,640',
      '2026-03-03,매도,005930,2,190,0,0,1020',
      '2026-03-03,매수,005930,2,185,0,0,650',
    ];
    const kinds = async (...lines: readonly (string | undefined)[]) =>
      (await textFile([head, ...lines].join('\n'))).entries.map(({ line }) => line);
    // Within one day, the balances show the order.
    expect(await kinds(again, sold, bought)).toEqual([4, 3, 2]);
    expect(await kinds(bought, sold, again)).toEqual([2, 3, 4]);
    // Without balances, the dates show it.
    const plain = [again, sold, bought, '2026-03-02,매수,005930,1,100,0,0,'].map((line) =>
      line?.replace(/\d+$/, ''),
    );
    expect(await kinds(...plain)).toEqual([5, 4, 3, 2]);
    const timed =
      'Date,Time,Action,Symbol,Quantity,Price\n2026-03-03,15:00:00,Sell,AAPL,1,2\n2026-03-03,09:30:05,Buy,AAPL,1,1';
    expect(
      (await textFile(timed)).entries.map(({ entry }) => `${entry.kind} ${entry.time?.toString()}`),
    ).toEqual(['buy 09:30:05', 'sell 15:00:00']);
  });

  it('has its times converted to the exchange only if it names their zone', async () => {
    const head = 'Date,Action,Symbol,Quantity,Price';
    const moment = async (typed: string, code: string) => {
      const { entries } = await textFile(`${head}\n${typed},Buy,${code},1,2`);
      return entries.map(({ entry }) => `${entry.date.toString()} ${entry.time?.toString()}`).join();
    };
    const AT: readonly (readonly [typed: string, code: string, moment: string])[] = [
      ['2026-11-11T14:31:00.000Z', 'AAPL', '2026-11-11 09:31:00'],
      ['2026-11-12T00:30:00Z', 'AAPL', '2026-11-11 19:30:00'],
      ['2026-11-12T00:31:05+09:00', 'AAPL', '2026-11-11 10:31:05'],
      ['2026-11-11 14:31:00 +0000', 'AAPL', '2026-11-11 09:31:00'],
      ['2026-07-10 09:31 PM UTC', 'AAPL', '2026-07-10 17:31:00'],
      ['2026-11-11 09:31:00 EST', 'AAPL', '2026-11-11 09:31:00'],
      ['2026-11-11T01:00:00Z', '005930', '2026-11-11 10:00:00'],
      ['2026-11-11T20:31:00Z', 'BTC-USD', '2026-11-11 20:31:00'],
      ['2026-11-11T00:31:00', 'AAPL', '2026-11-11 00:31:00'],
      ['2026-11-11 09:31 PM', 'AAPL', '2026-11-11 21:31:00'],
    ];
    // A split keeps its day and comes before the trades of that day.
    const split = `Date,Action,Symbol,Quantity,Price,Ratio\n2026-03-02T15:00:00Z,Buy,AAPL,1,2,\n2026-03-03T00:00:00Z,Split,AAPL,,,4:1`;
    expect(await told(split)).toEqual(['buy AAPL 1 @2 USD 03-02 10:00:00', 'split AAPL ×4 USD 03-03']);
    for (const [typed, code, expected] of AT)
      expect([typed, await moment(typed, code)]).toEqual([typed, expected]);
  });

  it('gets the ratio of a split from the holding before it, or reports that the ratio is missing', async () => {
    const head = '거래일자,거래명,종목명,거래수량,거래단가,수수료,제세금';
    const buy = '2026-03-03,매수,카카오,10,50000,0,0';
    const { entries } = await textFile(
      [head, buy, '2026-04-13,액면분할출고,카카오,10,0,0,0', '2026-04-15,액면분할입고,카카오,50,0,0,0'].join(
        '\n',
      ),
    );
    expect(entries.map(({ entry }) => short(entry))).toEqual([
      'buy 035720.KS 10 @50000 KRW 03-03',
      'split 035720.KS ×5 KRW 04-15',
    ]);
    const american =
      'Date,Action,Symbol,Quantity,Price,Fees & Comm,Amount\n06/10/2026,Stock Split,NVDA,18,,,';
    expect((await textFile(american)).errors).toMatchObject([
      { problem: { kind: 'no-ratio' }, lacking: 'NVDA' },
    ]);
    const before = (await textFile('date,kind,symbol,quantity,price\n2026-03-02,buy,NVDA,2,100')).entries.map(
      ({ entry }) => entry,
    );
    expect((await textFile(american, before)).entries.map(({ entry }) => short(entry))).toEqual([
      'split NVDA ×10 USD 06-10',
    ]);
    // Entries of the same file that are already recorded are not counted twice.
    const whole =
      'Date,Action,Symbol,Quantity,Price,Fees & Comm,Amount\n03/02/2026,Buy,NVDA,2,100,,-200\n06/10/2026,Stock Split,NVDA,18,,,';
    const first = (await textFile(whole)).entries.map(({ entry }) => entry);
    expect((await textFile(whole, first)).entries.map(({ entry }) => short(entry))).toEqual(first.map(short));
  });

  it.each([
    ['sell', '5', '$210.00', '$1,049.98', '5 @210 -0.02', 'fee-from-amount'],
    ['sell', '1.5', '$200.33', '$300.49', '1.5 @200.326667', ''],
    ['buy', '10', '$20.00', '($200.00)', '10 @20', ''],
    ['buy', '10', '$20.00', '($190.00)', '10 @20', 'amount-differs'],
    ['sell', '10', '$20.00', '$20.00', '10 @20', 'amount-differs'],
    ['sell', '10', '$20.00', '$204.00', '10 @20', 'amount-differs'],
  ])('%s %s at %s for %s is %s %s', async (kind, quantity, price, amount, expected, note) => {
    const head = '"Activity Date","Instrument","Trans Code","Quantity","Price","Amount"';
    const { entries } = await textFile(
      `${head}\n"5/14/2026","AAPL","${kind}","${quantity}","${price}","${amount}"`,
    );
    expect(entries.map(({ entry }) => short(entry))).toEqual([`${kind} AAPL ${expected} USD 05-14`]);
    expect(entries[0]?.notes.map((each) => each.kind).join()).toBe(note);
  });

  it('with a commission of zero gets the small charges of a sale from its amount', async () => {
    const head = 'TransactionDate,TransactionType,SecurityType,Symbol,Quantity,Amount,Price,Commission';
    const { entries } = await textFile(`${head}\n04/15/26,Sold,EQ,AAPL,-3,570.28,190.10,0.00`);
    expect(entries.map(({ entry }) => short(entry))).toEqual(['sell AAPL 3 @190.1 -0.02 USD 04-15']);
  });

  it('has its decimal separator and date order inferred from all of its cells together', async () => {
    const head = 'Date;Action;Symbol;Quantity;Price;Commission;Amount';
    // 474,63 is 475,625 less the commission, rounded.
    expect(
      await told(
        `${head}\n2026-03-02;Buy;AAPL;1.000;180;1;180.001,00\n2026-03-13;Sell;AAPL;2,5;190,25;1;474,63`,
      ),
    ).toEqual(['buy AAPL 1000 @180 -1 USD 03-02', 'sell AAPL 2.5 @190.252 -1 USD 03-13']);
    expect(await told(`${head}\n2026-03-02;Buy;AAPL;1.000;180.25;1;`)).toEqual([
      'buy AAPL 1 @180.25 -1 USD 03-02',
    ]);
    const serial = '거래일자,거래구분,종목코드,수량,단가';
    expect(await told(`${serial}\n46083,매수,005930,1,70000\n46084.5,매수,005930,1,70000`)).toEqual([
      'buy 005930.KS 1 @70000 KRW 03-02',
      'buy 005930.KS 1 @70000 KRW 03-03',
    ]);
    expect(await told(`${serial}\n46083,매수,005930,1,70000\n2026-03-03,매수,005930,1,70000`)).toEqual([
      'buy 005930.KS 1 @70000 KRW 03-03',
      'no-date',
    ]);
  });

  it('with fee and tax in one column has the tax of a sale split off if it fits', async () => {
    const head = '거래일자,거래명,종목명,수량,단가,거래금액,수수료/제세금';
    const of = async (charges: string) => {
      const [row] = (await textFile(`${head}\n2026-06-05,매도,삼성전자,10,83000,830000,${charges}`)).entries;
      return [row && short(row.entry), row?.notes.map(({ kind }) => kind).join()];
    };
    expect(await of('1784')).toEqual(['sell 005930.KS 10 @83000 -124 -1660 KRW 06-05', 'charges-split']);
    expect(await of('1000')).toEqual(['sell 005930.KS 10 @83000 -1000 KRW 06-05', 'charges-as-fee']);
  });

  it('that is hostile is refused line by line, in messages that repeat none of its markup', async () => {
    const { entries, errors } = await sample('hostile.csv');
    expect(entries.map(({ line }) => line)).toEqual([13, 17]);
    const told = errors
      .map(({ line, problem }) => ({ line, text: rowProblemText(problem, 'en') }))
      .toSorted((a, b) => a.line - b.line);
    expect(told.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16]);
    const words = told.map(({ text }) => text);
    expect(words.join('\n')).not.toMatch(/<@|\*\*|\[x\]|:\/\/|@everyone/);
    expect(words[0]).toMatch(/is a formula/);
    expect(words[11]).toMatch(/Shinsung.*Shinsung/);
    expect(Math.max(...words.map((text) => text.length))).toBeLessThan(260);
  });

  it('counts in the currency that it names, else in that of the instrument', async () => {
    const lines = [
      '거래일자,거래구분,종목코드,수량,단가,통화',
      '2026-03-02,매수,AAPL,1,180,',
      '2026-03-02,매수,5930,1,70000,',
      '2026-03-02,매수,삼성전자,1,70000,USD',
      '2026-03-02,외화이자입금,,,,',
    ];
    const { entries, errors } = await textFile(lines.join('\n'));
    expect(entries.map(({ entry }) => short(entry))).toEqual([
      'buy AAPL 1 @180 USD 03-02',
      'buy 005930.KS 1 @70000 KRW 03-02',
    ]);
    expect(errors).toMatchObject([
      { line: 4, problem: { problem: { kind: 'other-currency' } } },
      { line: 5 },
    ]);
  });

  it('has lines of unclear currency refused instead of guessed', async () => {
    // The portfolio is in won, the shares are in dollars, and the file names no currency.
    expect(
      await told(
        'Date,Action,Symbol,Quantity,Price,Amount',
        '2026-03-02,Buy,AAPL,1,180,',
        '2026-03-03,Deposit,,,,1000',
      ),
    ).toEqual(['buy AAPL 1 @180 USD 03-02', 'no-currency']);
    // A foreign trade with its amounts in won.
    expect(
      await told(
        '거래일자,거래구분,종목명,환율,수량,단가',
        '2026.03.02,구매,애플(US0378331005),1450.1,1.5,261018',
      ),
    ).toEqual(['no-currency']);
    expect(
      await told(
        '거래일자,거래구분,종목코드,종목명,수량,단가,거래금액,수수료',
        '2026-03-02,매수,AAPL,,1,$180,,₩500',
        '2026-03-02,매수,AAPL,,1,$180,180원,',
        '2026-03-02,매수,AAPL,,$500,180,,',
        '2026-03-02,매수,005930,SK하이닉스,1,70000,,',
        '2026-03-02,매수,BTC,,1 ETH,70000,,',
      ),
    ).toEqual(['fee-currency', 'entry', 'no-number', 'ambiguous', 'no-number']);
  });

  it('gets no shares from a subscription whose lines do not add up', async () => {
    const { entries, errors } = await textFile(
      [
        '거래일자,거래구분,종목명,수량,단가,거래금액',
        '2026-03-10,공모청약출금,에이피알,0,0,2000000',
        '2026-03-13,공모청약환불,에이피알,0,0,1800000',
        '2026-03-18,공모주입고,에이피알,2,50000,100000',
        // Without a price the payment is the cost; without a payment on other lines the shares are an ordinary purchase.
        '2026-03-20,유상청약출금,카카오,0,0,90000',
        '2026-03-28,유상증자입고,카카오,3,0,0',
        '2026-03-29,공모주입고,삼성전자,1,70000,70000',
        '2026-03-30,청약출금,네이버,0,0,5000',
        // Only the line of the shares names the company.
        '2026-06-01,청약출금,,0,0,300000',
        '2026-06-03,청약환불,,0,0,220000',
        '2026-06-09,공모주입고,현대차,2,40000,80000',
      ].join('\n'),
    );
    expect(entries.map(({ entry }) => short(entry))).toEqual([
      'withdrawal 2000000 KRW 03-10',
      'deposit 1800000 KRW 03-13',
      'rights 035720.KS 3 @30000 KRW 03-28',
      'buy 005930.KS 1 @70000 KRW 03-29',
      'withdrawal 5000 KRW 03-30',
      'buy 005380.KS 2 @40000 KRW 06-09',
    ]);
    expect(errors).toMatchObject([{ line: 4, problem: { kind: 'subscription' }, lacking: '에이피알' }]);
  });

  it('gets a reason and what to type instead for each line that is not recorded', async () => {
    const words = [
      '타사대체입고',
      '타사대체출고',
      '옵션매도',
      '채권매수',
      '합병입고',
      '배당금취소출금',
      '환전외화입금',
      '액면분할입고',
      '신규상품',
    ];
    const lines = words.map((word) => `2026-03-02,${word},삼성전자,1,100,100,USD`);
    const { errors } = await textFile(
      ['거래일자,거래구분,종목명,수량,단가,거래금액,통화', ...lines].join('\n'),
    );
    expect(errors.map(({ problem }) => problem.kind)).toEqual([
      'shares-in',
      'shares-out',
      'option',
      'bond',
      'reorganisation',
      'cancelled',
      'fx-leg',
      'split-leg',
      'unknown-kind',
    ]);
    for (const { problem } of errors.slice(0, 8)) {
      expect(rowProblemText(problem, 'ko')).toMatch(/`\/portfolio (?:매수|매도|입금|출금|환전|분할|undo)/);
      expect(rowProblemText(problem, 'en')).toContain('`/portfolio ');
    }
  });

  it('without taxes has those of Korean sales computed, and is marked so', async () => {
    expect(await textFile('date,kind,symbol,quantity,price\n2026-03-02,sell,005930,10,70000')).toMatchObject({
      lacksTaxes: true,
    });
  });

  it('has letters in brackets read as part of the name, not as a code', async () => {
    const names = [
      'KODEX 미국S&P500(H)',
      '코덱스 은선물(H)',
      'Citigroup (C)',
      '애플(AAPL)',
      '삼성전자(A005930)',
    ];
    const unknown = ['TIGER 미국S&P500TR(H)', '미래에셋코어테크(C)'];
    const lines = [...names, ...unknown].map((name) => `2026-03-03,buy,${name},1,100`);
    const { entries, errors } = await textFile(['date,kind,name,quantity,price', ...lines].join('\n'));
    expect(entries.map(({ entry }) => instrumentOf(entry)?.symbol)).toEqual([
      '449180.KS',
      '144600.KS',
      'C',
      'AAPL',
      '005930.KS',
    ]);
    expect(errors.map(({ problem }) => problem)).toMatchObject(unknown.map((typed) => ({ typed })));
  });

  it('of unknown names only is not searched to its end', async () => {
    const lines = Array.from({ length: 400 }, (_, index) => `2026-03-02,buy,QZX${index}K,1,100`);
    const { errors } = await textFile(['date,kind,symbol,quantity,price', ...lines].join('\n'));
    const kinds = errors.map(({ problem }) => problem.kind);
    expect(kinds).toHaveLength(400);
    expect(new Set(kinds.slice(0, 90))).toEqual(new Set(['unknown-name']));
    expect(kinds.at(-1)).toBe('unchecked-name');
  });

  it('has cash dividends recognised, and loses no line that moved cash', async () => {
    expect(
      await told(
        '거래일자,거래종류,종목명,수량,거래금액,세금,통화',
        '2026-03-20,해외주식 배당금,애플,,0.13,0.02,USD',
        '2026-03-21,주식배당입고,삼성전자,2,0,0,KRW',
        '2026-03-22,무상증자,삼성전자,0,0,0,KRW',
        '2026-03-23,무상증자,삼성전자,0,5000,0,KRW',
      ),
    ).toEqual(['dividend AAPL 0.13 -0.02 USD 03-20', 'rights 005930.KS 2 @0 KRW 03-21', 'entry']);
  });

  it('has terms that look alike told apart', () => {
    const KINDS: Readonly<Record<string, string>> = {
      무상감자: 'split',
      무상감자출고: 'split-out',
      유상감자: 'reorganisation',
      공개매수: 'reorganisation',
      공개매수매도: 'sell',
      자동환전입금: 'fx-in',
      환전출금: 'fx-out',
      외화매수: 'fx',
      주식대여수수료입금: 'interest',
      수수료환급: 'fee-refund',
      청약수수료: 'fee',
      공모주청약: 'subscription-out',
      청약증거금환불: 'subscription-back',
      유상청약: 'rights',
      융자상환: 'withdrawal',
      매도상환: 'sell',
    };
    expect(Object.fromEntries(Object.keys(KINDS).map((word) => [word, rowKindOf(word)]))).toEqual(KINDS);
  });

  it('that is a bank statement is named as one', async () => {
    const bank =
      '거래일시,적요,출금액,입금액,잔액\n2026-03-02,체크카드,5400,0,994600\n2026-03-03,급여,0,3000000,3994600';
    expect(await read(bank)).toMatchObject({ problem: { kind: 'no-kinds' } });
  });

  it('whose dates can be read in two ways is refused as a whole', async () => {
    expect(await boughtOn('03/04/2026', '05/06/2026')).toMatchObject({ problem: { kind: 'unclear-dates' } });
    expect(await boughtOn('13/04/2026', '05/16/2026')).toMatchObject({ problem: { kind: 'unclear-dates' } });
    expect(await boughtOn('13/04/2026', '05/06/2026')).toMatchObject({
      file: { entries: [{}, { entry: { date: Temporal.PlainDate.from('2026-06-05') } }] },
    });
    // If decimals have a comma, dates with points begin with the day.
    expect(await boughtOn('02.11.2026', '05.11.2026')).toMatchObject({ problem: { kind: 'unclear-dates' } });
    expect(
      await told(
        'Date;Action;Symbol;Quantity;Price\n02.11.2026;Buy;AAPL;2;270,5\n05.11.2026;Buy;AAPL;1;271,5',
      ),
    ).toEqual(['buy AAPL 2 @270.5 USD 11-02', 'buy AAPL 1 @271.5 USD 11-05']);
    expect(dateOrderOf(['03/04/2026'], true)).toBe('month-first');
    expect(dateOrderOf(['2026-03-04', '20260304', '2026.3.4.'], false)).toBe('month-first');
    expect(dateOrderOf(['03/03/2026'], false)).toBe('month-first');
    // Korean files put two-digit years first.
    expect(dateOrderOf(['26.03.02', '26.04.15'], false)).toBe('year-first');
    expect(dateOrderOf(['13.04.26', '15.04.26'], false)).toBe('day-first');
    expect(dateOrderOf(['26.03.02'], false)).toBeUndefined();
  });
});
