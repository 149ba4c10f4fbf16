import { describe, expect } from 'vitest';
import { atOnce } from '#src/platform/concurrency/cooperative-tasks.ts';
import * as redaction from '#src/agent/tools/redaction/redaction.ts';
import { everyRow } from '#test/support/every-row.ts';

const redactFinancialData = (text: string): string => atOnce(redaction.redactFinancialData(text));

const SLACK_TOKEN = ['xoxb', '123456789012', 'AbCdEfGhIjKl'].join('-');
const JWT = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', 'dozjgNryP4J3jVmNHl0w5N_XgL0n3I9'].join(
  '.',
);
const PEM = [
  '-----BEGIN RSA PRIVATE KEY-----',
  'MIIEowIBAAKCAQEAwJ',
  'k9Xq==',
  '-----END RSA PRIVATE KEY-----',
].join('\n');

/** What a person must be able to ask about: none of it may be changed. */
const STAYS: readonly string[] = [
  // Market caps, volumes and prices, also where the sum of a card is right.
  '삼성전자 시가총액 371449635398431원',
  '시가총액: 4111111111111111',
  'Market cap\n4111111111111111',
  'Market cap 4111111111111111, volume 5555555555554444',
  '거래대금 4012888888881881 (전일 대비 +3.2%)',
  'SK하이닉스 현재가 187,500원, 거래량 3,456,789주, PER 12.5배',
  '주식거래활동계좌 87654321개',
  '계좌 잔액 1234567890원',
  '계좌에 12345678901원을 입금했습니다.',
  '계좌 평가금액 98765432109',
  'Account balance: 1234567890',
  'Deposits are insured up to 100000000 won per account 100000000 won',
  'Revenue of 4111111111111111 KRW',
  '상장주식수 5969782550, 유동주식수 4411111111',
  'KOSPI 4150 4200 4210 4182 4190',
  '종가 4111 1111 1111 1111',
  'years 2019 2020 2021 2022 2023',
  'PER <15 and ROE> 20',
  '순매수 -4111111111111111, +4012888888881881',
  'BTC 0.12345678901234 / 4111111111111111.5',
  '삼성전자 371005000000000',
  // Times and dates.
  'updated 1700000000, 1700000000000, 1700000000000000',
  '2026-11-13T06:30:00Z',
  '20261113153000 기준',
  '하나 12345678901 / 우리 98765432109 / 국민 123456',
  '기업은행 1731479400000, 기업은행 123456789000, 거래대금 기업은행 123456789012',
  'account: 2024-01-15',
  'Account 2024-2025 statement',
  // Codes.
  '005930 00593K 0000D0 323410',
  '계좌번호 005930',
  'KR7005930003 US0378331005 037833100',
  'ISIN: KR7005930003, CUSIP 037833100',
  'AAPL240119C00150000',
  'DE89370400440532013001, GB82 WEST 1234 5698 7654 33, XX82 WEST 1234 5698 7654 32',
  'DE8937040044053201300012',
  'CIK 0000320193, accession 0000320193-24-000123',
  '사업자등록번호 124-81-00998',
  '법인등록번호 110111-1707178',
  '130111-0006246',
  '네이버(주) 110111-1707178',
  'ISBN 978-89-12345-67-8',
  // Phone numbers.
  '고객센터 1588-1234, 02-123-4567, 031-123-4567',
  '010-1234-5678 / 01012345678 / +82-10-1234-5678',
  '계좌 문의 1544-9999, 계좌 010-1234-5678',
  'Call 1-800-555-0199 or 212-555-0199',
  // Orders, addresses, ids, hashes.
  '주문번호 110-123-456789',
  'Order #4111111111111111, order 123-45-6789',
  '접수번호: 240115-1234567',
  '113-1234567-1234567, ref 1234-5678-1234-5670',
  '300231-1234567, 991301-1234567 (둘 다 없는 날짜), 계좌: 20240115',
  'https://finance.example.com/news/4111111111111111?id=4012888888881881',
  'https://example.com/?id=110-123-456789',
  '019a7c3e-1b2c-7000-8abc-0123456789ab',
  '12345678-1234-1234-1234-123456789012',
  'sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'Discord user 1234567890123456789',
  'ASIAPACIFICMARKETSXX INDEX',
  'sk-hynix-posts-record-profit-in-2026',
  'Account ending in 6789, card ****1234',
  // Words about secrets.
  'The secret: diversification. Password: required',
  '비밀번호는 8자 이상이어야 합니다',
  'API key: see the docs. A token costs $1.50.',
  'password: use a long one\nAPI key: documentation is here',
  '비밀번호는 나중에 정합니다',
  'API key: 5000 calls a day, secret = 12 shares',
  // JSON: numbers to their last digit, names that speak of amounts.
  '{"marketCap":4111111111111111,"price":1.10,"id":12345678901234567890}',
  '{"card":4111111111111111,"account":110123456789}',
  'Result: {"card": 4111111111111111, "account": 110123456789}',
  '{"apiKey":"demo","password":"********"}',
  '{"marketCap":"4111111111111111","regularMarketTime":"1700000000000"}',
  '{"corp_code":"00126380","jurir_no":"1301110006246","bizr_no":"1248100998","phn_no":"02-2255-0114"}',
  '{"token":"0xdAC17F958D2ee523a2206206994597C13D831ec7","nextPageToken":"CAUQAA12345678901234"}',
  'Result: {"marketCap": 4111111111111111, "closes": [4111111111111111, 4012888888881881]}',
  // Tables.
  '{"ISU_SRT_CD":"005930","MKTCAP":"371449635398431","ACC_TRDVAL":"36000000000008","x":"371449635398431"}',
  '| 종목 | 시가총액 |\n|---|---:|\n| 기업은행 | 4111111111111111 |',
  '| 항목 | 금액 |\n|---|---|\n| 계좌 | 1234567890 |',
  '종목,거래대금,시총\n기업은행,12345678901,4111111111111111',
];

/** What must not reach the model, and what it gets instead. */
const MASKED: readonly (readonly [string, string])[] = [
  // Cards.
  ['4111-1111-1111-1111', '[card ****1111]'],
  ['카드 4111 1111 1111 1111 승인 52,000원', '카드 [card ****1111] 승인 52,000원'],
  ['Amex 3782 822463 10005', 'Amex [card ****0005]'],
  ['4111 1111 1111 1111 123', '[card ****1111] 123'],
  ['2026-11-13 12 4111 1111 1111 1111', '2026-11-13 12 [card ****1111]'],
  ['금액 50,000원 4111 1111 1111 1111', '금액 50,000원 [card ****1111]'],
  ['５５５５－５５５５－５５５５－４４４４', '[card ****4444]'],
  ['4111‑1111‑1111‑1111', '[card ****1111]'],
  ['ref 4111-1111-1111-1111', 'ref [card ****1111]'],
  ['4111\u00a01111\u00a01111\u00a01111', '[card ****1111]'],
  ['4111\u202f1111\u20091111\u202f1111', '[card ****1111]'],
  ['paid with 4111111111111111.', 'paid with [card ****1111].'],
  ['Volume 100\nsee 4111111111111111', 'Volume 100\nsee [card ****1111]'],
  ['Volume\n100 lots\n4111111111111111 ok', 'Volume\n100 lots\n[card ****1111] ok'],
  ['{"orderId":"1\\nsee 4111111111111111"}', '{"orderId":"1\\nsee [card ****1111]"}'],
  ['카드번호: 6221260000000000', '카드번호: [card ****0000]'],
  ['visa 4111 1111 1111 1111 2027', 'visa [card ****1111] 2027'],
  ['법인카드 9410-1234-5678-9012', '법인카드 [card ****9012]'],
  [
    'cards: 4111111111111111, 5555555555554444, 378282246310005',
    'cards: [card ****1111], [card ****4444], [card ****0005]',
  ],
  // Korean resident and foreigner numbers, US social security numbers.
  ['주민등록번호 900101-1234567', '주민등록번호 [RRN]'],
  ['홍길동(900101-1234568) 귀하', '홍길동([RRN]) 귀하'],
  ['991231-1234567, 960229-2234567, 240430-3234567', '[RRN], [RRN], [RRN]'],
  ['계좌: 20241315, 계좌: 18990115', '계좌: [account], 계좌: [account]'],
  ['외국인등록번호: 8505055123456', '외국인등록번호: [RRN]'],
  ['SSN 123-45-6789', 'SSN [SSN]'],
  ['John Doe, 123-45-6789, NY', 'John Doe, [SSN], NY'],
  ['social security number is 123456789', 'social security number is [SSN]'],
  // Accounts, by a word or by the bank's own form.
  [
    '입금계좌: 국민은행 123456-04-123456 (예금주: 홍길동)',
    '입금계좌: 국민은행 [account ****3456] (예금주: 홍길동)',
  ],
  ['신한 110-123-456789로 보내 주세요', '신한 [account ****6789]로 보내 주세요'],
  ['1002-123-456789', '[account ****6789]'],
  ['카카오뱅크 3333-01-1234567, 323410', '카카오뱅크 [account ****4567], 323410'],
  ['토스뱅크 1000-1234-5678', '토스뱅크 [account ****5678]'],
  ['농협 301-1234-5678-91 홍길동', '농협 [account ****7891] 홍길동'],
  ['2026-11-13 이체 우리은행 1002123456789 50,000원', '2026-11-13 이체 우리은행 [account ****6789] 50,000원'],
  ['가상계좌 국민 12345678901234', '가상계좌 국민 [account ****1234]'],
  ['12345678901234 (국민은행)', '[account ****1234] (국민은행)'],
  ['[키움증권] 체결통보 계좌 1234-5678 삼성전자 10주', '[키움증권] 체결통보 계좌 [account] 삼성전자 10주'],
  ['한국투자증권 50012345-01 위탁', '한국투자증권 [account ****4501] 위탁'],
  ['계좌번호(종합): 50012345-01', '계좌번호(종합): [account ****4501]'],
  ['계좌번호 110123456789 주식회사 홍길동', '계좌번호 [account ****6789] 주식회사 홍길동'],
  ['계좌번호\n110123456789', '계좌번호\n[account ****6789]'],
  ['계좌번호\n\n110123456789', '계좌번호\n\n[account ****6789]'],
  ['계좌번호 110 123 456789', '계좌번호 [account ****6789]'],
  ['wire to acct 4567 8901 2345', 'wire to acct [account ****2345]'],
  ['삼성증권 7123456789-01', '삼성증권 [account ****8901]'],
  ['account number 212-555-0199', 'account number [account ****0199]'],
  ['https://example.com/?account=110-123-456789', 'https://example.com/?account=[account ****6789]'],
  ['계좌번호[110123456789]', '계좌번호[[account ****6789]]'],
  ['국민은행-123456-04-123456', '국민은행-[account ****3456]'],
  ['신한/110-123-456789/홍길동', '신한/[account ****6789]/홍길동'],
  ['Account Number: 000123456789', 'Account Number: [account ****6789]'],
  ['Account: U1234567 (IBKR)', 'Account: [account] (IBKR)'],
  ['Acct #: 12-3456-7890', 'Acct #: [account ****7890]'],
  ['Account 1234567890 USD 5,000.00', 'Account [account ****7890] USD 5,000.00'],
  ['<accountNo>110123456789</accountNo>', '<accountNo>[account ****6789]</accountNo>'],
  ['IBAN GB82 WEST 1234 5698 7654 32 of ACME', 'IBAN [account ****5432] of ACME'],
  ['DE89370400440532013000', '[account ****3000]'],
  // Secrets.
  ['AKIAIOSFODNN7EXAMPLE', '[secret]'],
  [`token ghp_${'aB3'.repeat(12)} leaked`, 'token [secret] leaked'],
  [`github_pat_${'aB3_'.repeat(10)}`, '[secret]'],
  [`AIza${'Ab3-_'.repeat(7)}`, '[secret]'],
  [`with ${SLACK_TOKEN}!`, 'with [secret]!'],
  [`bot ${'M'.repeat(24)}.GabcDe.${'x'.repeat(38)} ok`, 'bot [secret] ok'],
  ['sk-ant-api03-AbCdEf0123456789-xyz', '[secret]'],
  [`Set-Cookie: s=${JWT}; Path=/`, 'Set-Cookie: s=[secret]; Path=/'],
  [`key:\n${PEM}\nend`, 'key:\n[secret]\nend'],
  ['Authorization: Bearer abcdefghij.0123456789', 'Authorization: Bearer [secret]'],
  ['postgres://bot:p@55w@db:5432/app', 'postgres://bot:[secret]@db:5432/app'],
  ['GET /quote?symbol=AAPL&token=c1abcdefgh12345678', 'GET /quote?symbol=AAPL&token=[secret]'],
  [
    'DART crtfc_key=0123456789abcdef0123456789abcdef01234567&corp_code=00126380',
    'DART crtfc_key=[secret]&corp_code=00126380',
  ],
  ['password=hunter2 and more', 'password=[secret] and more'],
  ['DB_PASSWORD: hunter\nnext', 'DB_PASSWORD: [secret]\nnext'],
  ['api_key: "abcdefgh"', 'api_key: "[secret]"'],
  ['api key: a1b2c3d4e5 works', 'api key: [secret] works'],
  ['secret = "a1b2c3d4e5f6g7h8"', 'secret = "[secret]"'],
  ['비밀번호: qwer1234', '비밀번호: [secret]'],
  ['<password>hunter</password>', '<password>[secret]</password>'],
  // JSON documents: valid before and after, everything else to the letter.
  [
    '{ "price": 1.10,\n "cardNumber": "4111111111111111" }',
    '{ "price": 1.10,\n "cardNumber": "[card ****1111]" }',
  ],
  [
    '{"accounts":[{"number":"110123456789","balance":"12345678901"}]}',
    '{"accounts":[{"number":"[account ****6789]","balance":"12345678901"}]}',
  ],
  ['{"CANO":"50012345","ACNT_PRDT_CD":"01"}', '{"CANO":"[account]","ACNT_PRDT_CD":"01"}'],
  [
    '{"\\uacc4\\uc88c\\ubc88\\ud638":"110123456789","v":12345678901234567890}',
    '{"\\uacc4\\uc88c\\ubc88\\ud638":"[account ****6789]","v":12345678901234567890}',
  ],
  ['{"app":{"secret":"a1b2c3d4e5f6g7h8"}}', '{"app":{"secret":"[secret]"}}'],
  ['{"user":"kim","password":"hunter"}', '{"user":"kim","password":"[secret]"}'],
  ['{"memo":"say \\"hi\\" to 110-123-456789"}', '{"memo":"say \\"hi\\" to [account ****6789]"}'],
  ['["900101-1234567", 900101]', '["[RRN]", 900101]'],
  [
    '{"body":"{\\"cardNo\\":\\"4111111111111111\\",\\"cap\\":4111111111111111}"}',
    '{"body":"{\\"cardNo\\":\\"[card ****1111]\\",\\"cap\\":4111111111111111}"}',
  ],
  // Tables.
  [
    '| 계좌번호 | 잔고 |\n|---|---:|\n| 110123456789 | 1234567890 |',
    '| 계좌번호 | 잔고 |\n|---|---:|\n| [account ****6789] | 1234567890 |',
  ],
  [
    '계좌번호\t예금주\t잔액\n110123456789\t홍길동\t5000000',
    '계좌번호\t예금주\t잔액\n[account ****6789]\t홍길동\t5000000',
  ],
  ['name,card_number,paid\nKim,4111111111111111,100', 'name,card_number,paid\nKim,[card ****1111],100'],
  [
    'Portfolio | 2026\n| 계좌번호 | 잔고 |\n|---|---|\n| 110123456789 | 1234567890 |',
    'Portfolio | 2026\n| 계좌번호 | 잔고 |\n|---|---|\n| [account ****6789] | 1234567890 |',
  ],
  ['| 4111111111111111 exp date 12/27 | x |', '| [card ****1111] exp date 12/27 | x |'],
  ['| 계좌번호 | 110123456789 |', '| 계좌번호 | [account ****6789] |'],
];

describe('redactFinancialData', () => {
  everyRow(STAYS)('leaves %j as it is', (input) => {
    expect(redactFinancialData(input)).toBe(input);
  });

  everyRow(MASKED)('masks %j', (input, expected) => {
    expect(redactFinancialData(input)).toBe(expected);
  });

  everyRow(MASKED)('finds nothing more in what it made of %j', (_input, expected) => {
    expect(redactFinancialData(expected)).toBe(expected);
  });
});
