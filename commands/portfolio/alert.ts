import type { Command, CommandResult } from '#src/kernel/command.ts';
import type {
  CommandDefinition,
  CommandFlags,
  CommandOption,
  Subcommand,
} from '#src/kernel/command-definition.ts';
import { alertTexts } from '#src/features/alerts/index.ts';
import type { MarketAnswer } from '#src/kernel/market-queries.ts';
import type { TurnContext } from '#src/kernel/message.ts';
import { type AlertService, requesterOfMessage, type SetAlertRequest } from '#src/kernel/account-services.ts';
import { askedVerb, verbs } from '#src/reading/asked-verb.ts';
import { accountResult } from '#src/markets/answers/command-result.ts';

const SYMBOL: CommandOption = {
  name: 'symbol',
  nameKo: '종목',
  description: { ko: '종목명, 코드, 코인, 환율', en: 'name or code of a stock, fund, coin or currency' },
  type: 'text',
  isRequired: true,
  suggest: 'symbol',
};

const HOW: readonly CommandOption[] = [
  {
    name: 'repeat',
    nameKo: '반복',
    description: { ko: '한 번이 아니라 매번 알립니다', en: 'every time, not just once' },
    type: 'flag',
  },
  {
    name: 'extended',
    nameKo: '시간외',
    description: { ko: '시간외 시세도 봅니다', en: 'includes prices outside regular hours' },
    type: 'flag',
  },
  {
    name: 'here',
    nameKo: '여기',
    description: {
      ko: '다이렉트 메시지 대신 이 채널에서 알립니다 (모두가 봅니다)',
      en: 'notifies in this channel, where others see it, instead of a direct message',
    },
    type: 'flag',
  },
];

const YES: CommandOption = {
  name: 'yes',
  nameKo: '확인',
  description: {
    ko: '현재가와 차이가 커도 그대로 설정합니다',
    en: 'sets it even if it is far from the current price',
  },
  type: 'flag',
};

const WHICH: CommandOption = {
  name: 'alert',
  nameKo: '알림',
  description: { ko: '목록에서 고르거나 ID를 적습니다', en: 'pick it from the list, or give its ID' },
  type: 'text',
  isRequired: true,
  suggest: 'alert',
};

const level = (ko: string, en: string): CommandOption => ({
  name: 'level',
  nameKo: '기준',
  description: { ko, en },
  type: 'text',
  isRequired: true,
});

/** `AAPL > 200`. */
const PRICE = /^\S+ [<>]=? [\d.,]+(?: (?:--)?(?:repeat|extended|here))*$/u;

const SUBCOMMANDS: readonly Subcommand[] = [
  {
    name: 'price',
    nameKo: '가격',
    description: { ko: '가격이 오르거나 내리면 알립니다', en: 'when a price rises or falls to a level' },
    typed: '',
    options: [
      SYMBOL,
      {
        name: 'when',
        nameKo: '방향',
        description: { ko: '오를 때 또는 내릴 때', en: 'rises to or falls to' },
        type: 'text',
        isRequired: true,
        choices: [
          { value: '>=', label: { ko: '이상으로 오르면', en: 'rises to' }, words: ['>'] },
          { value: '<=', label: { ko: '이하로 내리면', en: 'falls to' }, words: ['<'] },
        ],
      },
      level('가격, 예: 8만원, 200', 'the price, e.g. 200'),
      ...HOW,
      YES,
    ],
  },
  {
    name: 'change',
    nameKo: '등락률',
    description: { ko: '하루 등락률로 알립니다', en: 'when it moves by a percentage within the day' },
    typed: '',
    options: [SYMBOL, level('예: -3%, +5%', 'e.g. -3% or +5%'), ...HOW],
  },
  {
    name: 'rsi',
    nameKo: 'rsi',
    description: { ko: 'RSI로 알립니다', en: 'when the RSI rises or falls to a level' },
    typed: '',
    options: [
      SYMBOL,
      {
        name: 'when',
        nameKo: '방향',
        description: { ko: '오를 때 또는 내릴 때', en: 'rises to or falls to' },
        type: 'text',
        isRequired: true,
        choices: [
          { value: 'rsi >=', label: { ko: '이상으로 오르면', en: 'rises to' } },
          { value: 'rsi <=', label: { ko: '이하로 내리면', en: 'falls to' } },
        ],
      },
      {
        name: 'level',
        nameKo: '기준',
        description: { ko: 'RSI 값, 예: 30', en: 'the RSI, e.g. 30' },
        type: 'integer',
        isRequired: true,
        min: 1,
        max: 99,
      },
      ...HOW,
    ],
  },
  {
    name: 'event',
    nameKo: '이벤트',
    description: {
      ko: '뉴스, 52주 최고가, 골든크로스, 거래량으로 알립니다',
      en: 'on news, a 52-week high, a golden cross, high volume',
    },
    typed: '',
    options: [
      SYMBOL,
      {
        name: 'event',
        nameKo: '이벤트',
        description: { ko: '어떤 일이 생기면 알릴지', en: 'what happens' },
        type: 'text',
        isRequired: true,
        choices: [
          { value: 'news', label: { ko: '새 뉴스', en: 'news' }, words: ['뉴스'] },
          { value: '52-week high', label: { ko: '52주 최고가', en: '52-week high' } },
          { value: '52-week low', label: { ko: '52주 최저가', en: '52-week low' } },
          { value: 'golden cross', label: { ko: '골든크로스', en: 'golden cross' } },
          { value: 'dead cross', label: { ko: '데드크로스', en: 'dead cross' } },
          { value: 'volume spike', label: { ko: '거래량 급증', en: 'volume spike' } },
        ],
      },
      ...HOW,
    ],
  },
  {
    name: 'set',
    nameKo: '조건',
    description: { ko: '조건을 말로 적습니다', en: 'a condition in your own words' },
    typed: '',
    options: [
      {
        name: 'condition',
        nameKo: '조건',
        description: {
          ko: '예: 삼성전자 8만원 이상 · AAPL -3% · BTC rsi < 30 · 테슬라 뉴스 리콜',
          en: 'e.g. AAPL > 200 · AAPL -3% · BTC rsi < 30 · Tesla news recall',
        },
        type: 'text',
        isRequired: true,
      },
      ...HOW,
      YES,
    ],
  },
  { name: 'list', nameKo: '목록', description: { ko: '내 알림 목록', en: 'lists your alerts' } },
  {
    name: 'delete',
    nameKo: '삭제',
    description: { ko: '알림을 삭제합니다', en: 'deletes an alert' },
    options: [WHICH],
  },
  {
    name: 'snooze',
    nameKo: '미루기',
    description: { ko: '알림을 잠시 미룹니다', en: 'snoozes an alert' },
    options: [
      WHICH,
      {
        name: 'time',
        nameKo: '시간',
        description: {
          ko: '예: 1h, 2일, 내일까지 (비우면 1시간)',
          en: 'e.g. 1h, 2 days, until Friday (an hour if left out)',
        },
        type: 'text',
      },
    ],
  },
];

export const alertDefinition: CommandDefinition = {
  name: 'alert',
  aliases: ['알림', 'alarm'],
  description: {
    ko: '가격, 등락률, 지표, 뉴스 알림을 설정합니다',
    en: 'notifies you of prices, indicators and news',
  },
  usage: { ko: '/alert 삼성전자 8만원 이상', en: '/alert AAPL > 200' },
  examples: {
    ko: [
      ['/alert 삼성전자 8만원 이상', '가격이 오르거나(이상) 내리면(이하) 알림'],
      ['/alert AAPL -3%', '하루 등락률 알림'],
      ['/alert BTC rsi < 30', '지표 알림'],
      ['/alert 테슬라 뉴스', '새 뉴스 알림'],
      ['/alert AAPL > 200 repeat', '한 번이 아니라 매번 알림'],
      ['/alert snooze ID 1h', '잠시 미루기'],
      ['/alert delete ID', '삭제 (목록은 `/alerts`)'],
    ],
    en: [
      ['/alert AAPL > 200', 'when the price rises to a level; use < for a fall'],
      ['/alert AAPL -3%', 'a change within the day'],
      ['/alert BTC rsi < 30', 'an indicator'],
      ['/alert Tesla news', 'new headlines'],
      ['/alert AAPL > 200 repeat', 'every time, not just once'],
      ['/alert snooze ID 1h', 'snoozes an alert'],
      ['/alert delete ID', 'deletes an alert (`/alerts` lists them)'],
    ],
  },
  category: 'finance',
  isPrivate: true,
  subcommands: SUBCOMMANDS,
  subcommandOf: (words, named) => {
    if (named !== undefined) return named;
    if (words.length === 0) return 'list';
    return PRICE.test(words.join(' ')) ? 'price' : 'set';
  },
};

type Action = 'list' | 'delete' | 'snooze';

const FIRST = verbs<Action>({
  list: 'list 목록 보기',
  delete: 'delete remove rm cancel del 삭제 해제 취소 제거 지워',
  snooze: 'snooze pause later 미루기 미뤄 스누즈 나중에 잠시',
});
const LAST = verbs<Action>({ delete: 'delete remove 삭제 해제 취소 제거 지워 지우기 꺼' });
const NONE: typeof LAST = new Map();
/** The words behind these are searched in headlines. */
const OF_NEWS = /^(?:news|headlines?|뉴스|기사|소식)$/iu;
/** The word for an alert beside its name: `삼성전자 알림 삭제`. */
const BESIDE_NAME = /^(?:alerts?|알림)[을를]?$/iu;

const flagOf = (flags: CommandFlags | undefined, ...names: readonly string[]): string | true | undefined =>
  names.map((name) => flags?.get(name)).find((value) => value !== undefined);

/** The flags and arguments as a request. A cooldown joins the text, which has the only reader for it. */
const requestOf = (args: readonly string[], flags: CommandFlags | undefined): SetAlertRequest => {
  const cooldown = flagOf(flags, 'cooldown', '쿨다운');
  const expires = flagOf(flags, 'expires', 'until', '만료');
  return {
    text: [...args, ...(typeof cooldown === 'string' ? [`cooldown ${cooldown}`] : [])].join(' '),
    ...(flagOf(flags, 'repeat', '반복') !== undefined && { isRepeating: true }),
    ...(typeof expires === 'string' && { expires }),
    ...(flagOf(flags, 'extended', '시간외') !== undefined && { usesExtendedHours: true }),
    ...(flagOf(flags, 'here', '여기') !== undefined && { place: 'here' as const }),
    ...(flagOf(flags, 'dm', '다이렉트메시지', '개인메시지') !== undefined && { place: 'direct' as const }),
    ...(flagOf(flags, 'yes', '확인') !== undefined && { isSure: true }),
  };
};

/** The usage, and the list of alerts. */
const overview = async (
  alerts: AlertService,
  ctx: TurnContext,
  signal: AbortSignal,
): Promise<CommandResult> => {
  const list = await alerts.list({ page: 1 }, requesterOfMessage(ctx), signal);
  const result = accountResult(list, ctx);
  return { ...result, content: `${alertTexts(ctx.locale).usage()}\n\n${result.content}` };
};

export const alert = ({ alerts }: { readonly alerts: AlertService }): Command => ({
  definition: alertDefinition,
  execute: async (args, ctx, signal, flags) => {
    if (args.length === 0) return overview(alerts, ctx, signal);
    const requester = requesterOfMessage(ctx);
    const answer = async (): Promise<MarketAnswer> => {
      const asked = askedVerb(args, FIRST, args.some((word) => OF_NEWS.test(word)) ? NONE : LAST);
      if (asked?.action === 'list' && asked.words.length === 0)
        return alerts.list({ page: 1 }, requester, signal);
      const which = asked?.words.filter((word) => !BESIDE_NAME.test(word)).join(' ') ?? '';
      const isSure = flagOf(flags, 'yes', '확인') !== undefined;
      const page = Math.trunc(Number(flags?.get('page'))) || undefined;
      if (asked?.action === 'delete') return alerts.remove({ which, isSure, page }, requester, signal);
      if (asked?.action === 'snooze') return alerts.snooze({ which }, requester, signal);
      return alerts.set(requestOf(args, flags), requester, signal);
    };
    return accountResult(await answer(), ctx);
  },
});
