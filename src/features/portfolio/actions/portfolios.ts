import { action, option } from '#src/features/ability.ts';
import type { CommandOption } from '#src/kernel/chat/command-definition.ts';
import { verbs } from '#src/reading/asked-verb.ts';
import type { ConfigureRequest, ConfirmRequest, ImportRequest, InPortfolio } from '../requests.ts';
import {
  choices,
  type Deps,
  inPortfolio,
  leftOver,
  type PortfolioLine,
  PORTFOLIO,
  reads,
  textOf,
  YES,
} from './line.ts';

const WHICH = verbs<ConfirmRequest['which']>([
  ['all', 'all 전체'],
  ['valid', 'valid'],
  ['doubted', 'doubted'],
  ['none', 'none cancel 취소'],
]);

const FIRST_LINE = /^[^\r\n]*(?:\r\n|\r|\n)?/u;

/** `@trades.csv` after the command: on platforms that cannot read files by name, the answer says so. */
const NAMED_FILE = /(?<=\s)@(?:"[^"\n]{1,300}"|[^\s"]{1,300})$/u;

/** The lines that were pasted below the command, else the name of a file after it. */
const linesBelow = (rawBody: string): string => {
  const [first = ''] = FIRST_LINE.exec(rawBody.trimStart()) ?? [];
  const below = rawBody.trimStart().slice(first.length);
  return below.trim() === '' ? (NAMED_FILE.exec(first.trim())?.[0] ?? '') : below;
};

const importOf = (line: PortfolioLine): ImportRequest | ConfirmRequest | string => {
  const { ctx, portfolio } = line;
  const [verb = '', code, named = 'all'] = line.words;
  if (!/^(?:confirm|확인)$/iu.test(verb))
    return { portfolio, text: linesBelow(ctx.rawBody), files: ctx.media ?? [], sessionKey: ctx.sessionKey };
  const which = WHICH.get(named.toLowerCase());
  return code === undefined || !which ? leftOver(line.words.join(' '), 'preview', line) : { code, which };
};

/** Entries from and to files. */
export const fileActions = {
  import: action<Deps, ImportRequest | ConfirmRequest>({
    nameKo: '가져오기',
    description: {
      ko: '증권사 파일이나 앱 화면을 가져옵니다',
      en: "records the entries of a broker's file or screenshot",
    },
    options: [
      option('file', '파일', {
        ko: '증권사 파일 (CSV, 엑셀) 또는 앱 화면 캡처',
        en: 'file of your broker (CSV, Excel), or a screenshot of its app',
        type: 'file',
      }),
      option('confirm', '확정', {
        ko: '미리보기의 코드로 확정, 예: 확인 CODE',
        en: 'confirms a preview, e.g. confirm CODE',
      }),
      PORTFOLIO,
    ],
    words: 'import 가져오기',
    effect: 'record',
    read: reads(importOf),
    run: (asked, { portfolio }, who, signal) =>
      'code' in asked ? portfolio.confirmImport(asked, who, signal) : portfolio.preview(asked, who, signal),
  }),
  export: action({
    nameKo: '내보내기',
    description: { ko: 'CSV 파일로 내보냅니다', en: 'exports your entries as CSV' },
    words: 'export 내보내기',
    input: { portfolio: inPortfolio },
    run: (asked, { portfolio }: Deps, who, signal) => portfolio.export(asked, who, signal),
  }),
};

/** A setting of a portfolio, which is shown where no value is given. */
const setting = (
  of: ConfigureRequest['setting'],
  [nameKo, words]: readonly [nameKo: string, words: string],
  description: CommandOption['description'],
  value: CommandOption,
) =>
  action<Deps, Omit<ConfigureRequest, 'setting'>>({
    nameKo,
    description,
    words,
    effect: 'record',
    input: { value: { option: value, read: reads(({ words: [first] }) => first) }, portfolio: inPortfolio },
    run: (asked, { portfolio }, who, signal) => portfolio.configure({ setting: of, ...asked }, who, signal),
  });

const isRequired = true;

/** The portfolios themselves. */
export const portfolioActions = {
  list: action({
    nameKo: '목록',
    description: { ko: '포트폴리오 목록', en: 'lists your portfolios' },
    words: 'list 목록',
    run: (_input, { portfolio }: Deps, who, signal) => portfolio.list({}, who, signal),
  }),
  new: action<Deps, { readonly name: string; readonly currency: string | undefined }>({
    nameKo: '새로',
    description: { ko: '새 포트폴리오를 만듭니다', en: 'creates a portfolio' },
    words: 'new create 새로 만들기 생성',
    effect: 'record',
    input: {
      name: {
        option: option('name', '이름', {
          ko: '새 포트폴리오의 이름',
          en: 'name of the new portfolio',
          isRequired,
        }),
        read: reads(({ words: [first], portfolio = '' }) => first ?? portfolio),
      },
      currency: {
        option: option('currency', '통화', {
          ko: '기준 통화, 예: KRW, USD',
          en: 'its currency, e.g. USD, KRW',
        }),
        read: reads((line) => line.words[1] ?? textOf(line, 'currency')),
      },
    },
    run: (asked, { portfolio }, who, signal) => portfolio.create(asked, who, signal),
  }),
  use: action<Deps, InPortfolio>({
    nameKo: '사용',
    description: { ko: '기본 포트폴리오를 정합니다', en: 'chooses the default portfolio' },
    words: 'use default 기본으로 사용',
    fills: ['portfolio'],
    effect: 'record',
    input: {
      portfolio: {
        option: { ...PORTFOLIO, isRequired },
        read: reads(({ words: [first], portfolio }) => first ?? portfolio),
      },
    },
    run: (asked, { portfolio }, who, signal) =>
      portfolio.configure({ setting: 'default', ...asked }, who, signal),
  }),
  cost: setting(
    'cost',
    ['원가', 'cost 원가'],
    { ko: '원가 계산법을 정합니다', en: 'how cost is counted' },
    option('method', '방법', {
      ko: '계산법 (비우면 현재 설정)',
      en: 'the method (leave it out to see yours)',
      choices: choices(['average', '이동평균', 'average'], ['fifo', '선입선출', 'first in, first out']),
    }),
  ),
  short: setting(
    'short',
    ['공매도', 'short 공매도'],
    { ko: '공매도 기록을 허용하거나 막습니다', en: 'allows short sales' },
    option('allowed', '허용', {
      ko: '비우면 지금 설정을 봅니다',
      en: 'leave it out to see the setting',
      choices: choices(['on', '허용', 'allowed'], ['off', '허용 안 함', 'not allowed']),
    }),
  ),
  account: setting(
    'account',
    ['계좌', 'account 계좌 계좌종류'],
    { ko: 'ISA나 연금계좌로 표시합니다', en: 'marks a Korean ISA or pension' },
    option('kind', '종류', {
      ko: '계좌의 종류',
      en: 'kind of account',
      choices: choices(
        ['isa', 'ISA', 'ISA'],
        ['pension', '연금 (연금저축, IRP)', 'pension', '연금'],
        ['ordinary', '일반', 'ordinary', '일반'],
      ),
    }),
  ),
  delete: action<Deps, { readonly portfolio: string; readonly isSure: boolean }>({
    nameKo: '삭제',
    description: { ko: '포트폴리오를 삭제합니다', en: 'deletes a portfolio' },
    words: 'delete remove 삭제',
    wordsBehind: true,
    fills: ['portfolio'],
    effect: 'destroy',
    input: {
      portfolio: {
        option: { ...PORTFOLIO, isRequired },
        read: reads(({ words: [first], portfolio = '' }) => first ?? portfolio),
      },
      isSure: {
        option: { ...YES, description: { ko: '정말 삭제합니다', en: 'really deletes it' } },
        read: reads((line) => line.isSure),
      },
    },
    run: (asked, { portfolio }, who, signal) => portfolio.remove(asked, who, signal),
  }),
};
