import type { Command, CommandResult } from '#src/kernel/command.ts';
import type { CommandDefinition, CommandFlags } from '#src/kernel/command-definition.ts';
import { alertMessages } from '#src/features/alerts/index.ts';
import type { MarketAnswer } from '#src/kernel/market-queries.ts';
import type { MsgContext } from '#src/kernel/message.ts';
import { type AlertService, requesterOfMessage, type SetAlertRequest } from '#src/kernel/account-services.ts';
import { askedVerb, verbs } from './parse-subcommand.ts';
import { accountResult } from './account-result.ts';

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
  options: [
    {
      name: 'condition',
      nameKo: '조건',
      description: {
        ko: '예: 삼성전자 8만원 이상 · AAPL -3% · BTC rsi < 30 · delete ID · snooze ID 1h',
        en: 'e.g. AAPL > 200 · AAPL -3% · BTC rsi < 30 · delete ID · snooze ID 1h',
      },
      type: 'text',
    },
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
        ko: '개인 메시지 대신 이 채널에서 알립니다 (모두가 봅니다)',
        en: 'notifies in this channel, where others see it, instead of a direct message',
      },
      type: 'flag',
    },
  ],
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
    ...(flagOf(flags, 'dm', '개인메시지') !== undefined && { place: 'direct' as const }),
    ...(flagOf(flags, 'yes', '확인') !== undefined && { isSure: true }),
  };
};

/** The usage, and the list of alerts. */
const overview = async (
  alerts: AlertService,
  ctx: MsgContext,
  signal: AbortSignal,
): Promise<CommandResult> => {
  const list = await alerts.list({}, requesterOfMessage(ctx), signal);
  const result = accountResult(list, ctx);
  return { ...result, content: `${alertMessages(ctx.locale).usage()}\n\n${result.content}` };
};

export const alert = ({ alerts }: { readonly alerts: AlertService }): Command => ({
  definition: alertDefinition,
  execute: async (args, ctx, signal, flags) => {
    if (args.length === 0) return overview(alerts, ctx, signal);
    const requester = requesterOfMessage(ctx);
    const answer = async (): Promise<MarketAnswer> => {
      const asked = askedVerb(args, FIRST, args.some((word) => OF_NEWS.test(word)) ? NONE : LAST);
      if (asked?.action === 'list' && asked.words.length === 0) return alerts.list({}, requester, signal);
      const which = asked?.words.filter((word) => !BESIDE_NAME.test(word)).join(' ') ?? '';
      const isSure = flagOf(flags, 'yes', '확인') !== undefined;
      if (asked?.action === 'delete') return alerts.remove({ which, isSure }, requester, signal);
      if (asked?.action === 'snooze') return alerts.snooze({ which }, requester, signal);
      return alerts.set(requestOf(args, flags), requester, signal);
    };
    return accountResult(await answer(), ctx);
  },
});
