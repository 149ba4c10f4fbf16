import { formToComplete, REST } from '#src/kernel/chat/command.ts';
import { action, defineAbility, hasFlag, option, type TypedWords } from '#src/features/ability.ts';
import type { SetAlertRequest } from '#src/kernel/people/alerts.ts';
import type { ChatNoticeService } from '#src/kernel/people/chat-notices.ts';
import type { CommandFlags, CommandOption, Subcommand } from '#src/kernel/chat/command-definition.ts';
import type { Localized } from '#src/kernel/locale.ts';
import { shortened } from '#src/kernel/text.ts';
import { chatNoticeTexts } from '#src/kernel/chat/texts/chat-notices.ts';
import type { Uses } from '#src/platform/services.ts';
import { nameInput } from '#src/markets/answers/name-input.ts';
import { requestOfModel, type SetAlertInput, setAlertInput } from './condition-input.ts';
import { alertTexts } from './texts.ts';

type Deps = Uses<'alerts'>;

const SYMBOL = option('symbol', '종목', {
  ko: '종목명, 코드, 코인, 환율',
  en: 'name or code of a stock, fund, coin or currency',
  isRequired: true,
  suggest: 'symbol',
});

const HOW: readonly CommandOption[] = [
  option('repeat', '반복', {
    ko: '한 번이 아니라 매번 알립니다',
    en: 'every time, not just once',
    type: 'flag',
  }),
  option('extended', '시간외', {
    ko: '시간외 시세도 봅니다',
    en: 'includes prices outside regular hours',
    type: 'flag',
  }),
  option('here', '여기', {
    ko: '다이렉트 메시지 대신 이 채널에서 알립니다 (모두가 봅니다)',
    en: 'notifies in this channel, where others see it, instead of a direct message',
    type: 'flag',
  }),
];

const YES = option('yes', '확인', {
  ko: '현재가와 차이가 커도 그대로 설정합니다',
  en: 'sets it even if it is far from the current price',
  type: 'flag',
});

const level = (ko: string, en: string) => option('level', '기준', { ko, en, isRequired: true });

/** `AAPL > 200`. */
const PRICE = /^\S+ [<>]=? [\d.,]+(?: (?:--)?(?:repeat|extended|here))*$/u;

const form = (
  name: string,
  nameKo: string,
  description: Localized,
  options: readonly CommandOption[],
): Subcommand => ({ name, nameKo, description, typed: '', options });

const FORMS: readonly Subcommand[] = [
  form(
    'price',
    '가격',
    { ko: '가격이 오르거나 내리면 알립니다', en: 'when a price rises or falls to a level' },
    [
      SYMBOL,
      option('when', '방향', {
        ko: '오를 때 또는 내릴 때',
        en: 'rises to or falls to',
        isRequired: true,
        choices: [
          { value: '>=', label: { ko: '이상으로 오르면', en: 'rises to' }, words: ['>'] },
          { value: '<=', label: { ko: '이하로 내리면', en: 'falls to' }, words: ['<'] },
        ],
      }),
      level('가격, 예: 8만원, 200', 'the price, e.g. 200'),
      ...HOW,
      YES,
    ],
  ),
  form(
    'change',
    '등락률',
    { ko: '하루 등락률로 알립니다', en: 'when it moves by a percentage within the day' },
    [SYMBOL, level('예: -3%, +5%', 'e.g. -3% or +5%'), ...HOW],
  ),
  form('rsi', 'rsi', { ko: 'RSI로 알립니다', en: 'when the RSI rises or falls to a level' }, [
    SYMBOL,
    option('when', '방향', {
      ko: '오를 때 또는 내릴 때',
      en: 'rises to or falls to',
      isRequired: true,
      choices: [
        { value: 'rsi >=', label: { ko: '이상으로 오르면', en: 'rises to' } },
        { value: 'rsi <=', label: { ko: '이하로 내리면', en: 'falls to' } },
      ],
    }),
    option('level', '기준', {
      ko: 'RSI 값, 예: 30',
      en: 'the RSI, e.g. 30',
      type: 'integer',
      isRequired: true,
      min: 1,
      max: 99,
    }),
    ...HOW,
  ]),
  form(
    'event',
    '이벤트',
    {
      ko: '뉴스, 52주 최고가, 골든크로스, 거래량으로 알립니다',
      en: 'on news, a 52-week high, a golden cross, high volume',
    },
    [
      SYMBOL,
      option('event', '이벤트', {
        ko: '어떤 일이 생기면 알릴지',
        en: 'what happens',
        isRequired: true,
        choices: [
          { value: 'news', label: { ko: '새 뉴스', en: 'news' }, words: ['뉴스'] },
          { value: '52-week high', label: { ko: '52주 최고가', en: '52-week high' } },
          { value: '52-week low', label: { ko: '52주 최저가', en: '52-week low' } },
          { value: 'golden cross', label: { ko: '골든크로스', en: 'golden cross' } },
          { value: 'dead cross', label: { ko: '데드크로스', en: 'dead cross' } },
          { value: 'volume spike', label: { ko: '거래량 급증', en: 'volume spike' } },
        ],
      }),
      ...HOW,
    ],
  ),
  form('set', '조건', { ko: '조건을 말로 적습니다', en: 'a condition in your own words' }, [
    option('condition', '조건', {
      ko: '예: 삼성전자 8만원 이상 · AAPL -3% · BTC rsi < 30 · 테슬라 뉴스 리콜',
      en: 'e.g. AAPL > 200 · AAPL -3% · BTC rsi < 30 · Tesla news recall',
      isRequired: true,
    }),
    ...HOW,
    YES,
  ]),
];

/** The words behind these are searched in headlines. */
const OF_NEWS = /^(?:news|headlines?|뉴스|기사|소식)$/iu;
/** The word for an alert beside its name: `삼성전자 알림 삭제`. */
const BESIDE_NAME = /^(?:alerts?|알림)[을를]?$/iu;

const flagOf = (flags: CommandFlags, ...names: readonly string[]): string | true | undefined =>
  names.map((name) => flags.get(name)).find((value) => value !== undefined);

/** The flags and arguments as a request. A cooldown joins the text, which has the only reader for it. */
const requestOf = ({ words, flags, ctx }: TypedWords): SetAlertRequest | string => {
  if (words.at(-1) === REST)
    return alertTexts(ctx.locale).other.typed({ name: words.slice(0, -1).join(' ') });
  const cooldown = flagOf(flags, 'cooldown', '쿨다운');
  const expires = flagOf(flags, 'expires', 'until', '만료');
  return {
    text: [...words, ...(typeof cooldown === 'string' ? [`cooldown ${cooldown}`] : [])].join(' '),
    ...(flagOf(flags, 'repeat', '반복') !== undefined && { isRepeating: true }),
    ...(typeof expires === 'string' && { expires }),
    ...(flagOf(flags, 'extended', '시간외') !== undefined && { usesExtendedHours: true }),
    ...(flagOf(flags, 'here', '여기') !== undefined && { place: 'here' as const }),
    ...(flagOf(flags, 'dm', '다이렉트메시지', '개인메시지') !== undefined && { place: 'direct' as const }),
    ...(flagOf(flags, 'yes', '확인') !== undefined && { isSure: true }),
  };
};

const WHICH = {
  option: option('alert', '알림', {
    ko: '목록에서 고르거나 ID를 적습니다',
    en: 'pick it from the list, or give its ID',
    isRequired: true,
    suggest: 'alert',
  }),
  read: ({ words }: TypedWords) => words.filter((word) => !BESIDE_NAME.test(word)).join(' '),
};

export const alert = defineAbility({
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
  concern: 'own',
  actions: {
    set: action({
      forms: FORMS,
      effect: 'record',
      read: requestOf,
      run: (request: SetAlertRequest, { alerts }: Deps, who, signal) => alerts.set(request, who, signal),
    }),
    list: action({
      nameKo: '목록',
      description: { ko: '내 알림 목록', en: 'lists your alerts' },
      words: 'list 목록 보기',
      // Models read all of it.
      input: { page: { read: (): number | undefined => 1 } },
      progress: (_input, locale) => alertTexts(locale).progress.listing(),
      run: ({ page }, { alerts }: Deps, who, signal) =>
        alerts.list(page === undefined ? {} : { page }, who, signal),
      tool: {
        name: 'list_alerts',
        description: [
          'List the active alerts of the user who asks, with their ids, what each waits for, how often and until when.',
          'Use it when the user asks which alerts they have, and before remove_alert where it is not clear which one',
          'they mean.',
        ],
      },
    }),
    remove: action({
      name: 'delete',
      nameKo: '삭제',
      description: { ko: '알림을 삭제합니다', en: 'deletes an alert' },
      words: 'delete remove rm cancel del 삭제 해제 취소 제거 지워',
      wordsBehind: 'delete remove 삭제 해제 취소 제거 지워 지우기 꺼',
      effect: 'destroy',
      input: {
        which: {
          ...WHICH,
          input: () => nameInput().describe('The id of the alert, a name or ticker, or "all"'),
        },
        isSure: { read: hasFlag('yes', '확인') },
        page: { read: ({ flags }) => Math.trunc(Number(flags.get('page'))) || undefined },
      },
      progress: (_input, locale) => alertTexts(locale).progress.removing(),
      run: (request, { alerts }: Deps, who, signal) => alerts.remove(request, who, signal),
      tool: {
        name: 'remove_alert',
        description: [
          'Delete an alert of the user who asks. Use it only when the user asks for it, and tell them what was deleted.',
          'Pass the id from list_alerts, or the name of what it watches where that has one alert only. Where several fit',
          'the result lists them; ask the user then instead of choosing. "all" deletes nothing: it tells the user how they',
          'do that themselves.',
        ],
      },
    }),
    snooze: action({
      nameKo: '미루기',
      description: { ko: '알림을 잠시 미룹니다', en: 'snoozes an alert' },
      words: 'snooze pause later 미루기 미뤄 스누즈 나중에 잠시',
      effect: 'record',
      input: {
        // With the time, which the service splits off.
        which: WHICH,
        time: {
          option: option('time', '시간', {
            ko: '예: 1h, 2일, 내일까지 (비우면 1시간)',
            en: 'e.g. 1h, 2 days, until Friday (an hour if left out)',
          }),
        },
      },
      run: ({ which }, { alerts }: Deps, who, signal) => alerts.snooze({ which }, who, signal),
    }),
    /** The usage, and the list of alerts. */
    overview: action({
      run: async (_input, { alerts }: Deps, who, signal) => {
        const list = await alerts.list({ page: 1 }, who, signal);
        return { ...list, content: `${alertTexts(who.locale).usage()}\n\n${list.content}` };
      },
    }),
    /** Models choose a condition and its numbers, which become the words of a person. */
    setByModel: action<Deps, SetAlertInput>({
      effect: 'record',
      progress: ({ symbol }, locale) => alertTexts(locale).progress.setting({ name: shortened(symbol) }),
      run: (asked, { alerts }, who, signal) => alerts.set(requestOfModel(asked), who, signal),
      tool: {
        name: 'set_alert',
        description: [
          'Set an alert for the user who asks: they are told when it comes true, in their direct messages unless here. Use it when',
          'the user wants to be told when a price, a change in percent, an RSI, a cross of averages, a 52-week high or',
          'low, unusual volume or a headline comes up; for a reminder at a time use notify. reaches is for a price that',
          'is named without a direction ("when it is 200", "8만원 되면"). above and below also fire',
          'if it is so already; crosses_* and all the others wait for the change. Percentages are from the previous',
          'close unless fromNow. Prices are in the currency of the instrument. Set only what the user asked for, one',
          'call an alert, and say in words when the market is looked at and where they will be told. When the name is',
          'unknown or fits several the result says so; ask the user then instead of choosing. Likewise where it says that',
          'the level is very far from the price.',
        ],
        isExternal: true,
        input: setAlertInput,
      },
    }),
  },
  form: {
    open: (words, locale) => {
      const { other } = alertTexts(locale);
      return words.at(-1) === REST
        ? formToComplete(`/alert ${words.slice(0, -1).join(' ')}`, {
            title: other.title,
            submitLabel: other.submit,
            label: other.field,
          })
        : undefined;
    },
  },
  unnamed: (words) => (words.length === 0 ? 'overview' : 'set'),
  formOf: (words) => {
    if (words.length === 0) return 'list';
    return PRICE.test(words.join(' ')) ? 'price' : 'set';
  },
  mayEndInVerb: (words) => !words.some((word) => OF_NEWS.test(word)),
  meant: (asked, { words }) =>
    asked.action === 'list' && asked.words.length > 0 ? { action: 'set', words } : asked,
});

const HERE: ReadonlySet<string> = new Set(['here', '여기', '채널']);
const REMOVE: ReadonlySet<string> = new Set(['remove', 'delete', '삭제', '제거']);

/** The id behind `here`, or of the flag. Undefined if nothing is to be removed. */
const idIn = (words: readonly string[], flags: CommandFlags): string | undefined => {
  const flag = flags.get('remove') ?? flags.get('삭제');
  if (typeof flag === 'string') return flag;
  return REMOVE.has(words[0]?.toLowerCase() ?? '') ? words.slice(1).join(' ') : undefined;
};

interface ListRequest {
  readonly where: string | undefined;
  readonly remove: string | undefined;
  readonly page: number;
}

interface ListDeps extends Uses<'alerts.list'> {
  readonly chatNotices: ChatNoticeService;
}

export const alerts = defineAbility({
  name: 'alerts',
  aliases: ['알림목록', '알림들'],
  description: {
    ko: '설정한 알림을 보여 주고 삭제합니다',
    en: 'lists and deletes your alerts',
  },
  usage: { ko: '/alerts [here [삭제 ID]]', en: '/alerts [here [remove ID]]' },
  examples: {
    ko: [
      ['/alerts', '내 알림'],
      ['/alerts here', '이 채널에 설정된 알림과 브리핑 (서버 관리자)'],
      ['/alerts here 삭제 ID', '그중 하나를 삭제 (서버 관리자)'],
    ],
    en: [
      ['/alerts', 'your alerts'],
      ['/alerts here', 'alerts and briefings set in this channel (for server admins)'],
      ['/alerts here remove ID', 'removes one of them (for server admins)'],
    ],
  },
  concern: 'own',
  actions: {
    list: action<ListDeps, ListRequest>({
      input: {
        where: {
          option: option('where', '위치', {
            ko: '비워 두면 내 알림, here는 이 채널에 설정된 것 (서버 관리자)',
            en: 'leave it out for your own; here: set in this channel (for server admins)',
            choices: [
              {
                value: 'here',
                label: { ko: '이 채널에 설정된 것', en: 'set in this channel' },
                words: ['여기'],
              },
            ],
          }),
        },
        remove: {
          option: option('remove', '삭제', {
            ko: '이 채널에서 삭제할 알림이나 브리핑의 ID (서버 관리자)',
            en: 'the id of what to remove from this channel (for server admins)',
            isNamed: true,
          }),
        },
        page: {
          option: option('page', '페이지', {
            ko: '목록의 페이지',
            en: 'page of the list',
            type: 'integer',
            isNamed: true,
            min: 1,
          }),
        },
      },
      effect: 'record',
      read: ({ words: [first = '', ...rest], flags, ctx }) => {
        const isHere = HERE.has(first.toLowerCase());
        const remove = idIn(isHere ? rest : [], flags);
        if (!isHere && remove === undefined)
          return { where: undefined, remove, page: Math.trunc(Number(flags.get('page') ?? 1)) || 1 };
        const t = chatNoticeTexts(ctx.locale);
        if (ctx.chatType === 'direct') return t.onlyInChannel();
        return ctx.isAdmin || ctx.managesGuild ? { where: 'here', remove, page: 1 } : t.managersOnly();
      },
      run: ({ where, remove: which, page }, { alerts, chatNotices }, who, signal) => {
        if (where === undefined) return alerts.list({ page }, who, signal);
        return which === undefined
          ? chatNotices.list({}, who, signal)
          : chatNotices.remove({ which }, who, signal);
      },
    }),
  },
});

export { endNotice, type EndReason, type NoticeDeps } from './end-notice.ts';
