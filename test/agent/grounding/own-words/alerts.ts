import { alertFacts } from '#src/features/alerts/conditions/describe-condition.ts';
import { firingMessage } from '#src/features/alerts/watching/firing-message.ts';
import type { Features } from '#src/features/open/open-features.ts';
import type { AlertCondition, AlertRecord } from '#src/kernel/people/alerts.ts';
import type { Quote } from '#src/kernel/market/finance.ts';
import { type AlertId, asId, type OwnerId } from '#src/kernel/ids.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { Decimal } from '#src/kernel/money.ts';
import { quoteFacts } from '#src/markets/answers/quote-facts.ts';
import { sampleMarket } from '#test/support/sample-market.ts';
import { toolContextOf } from '#test/support/tool-context.ts';
import { type Said, saidTo } from './said.ts';

const CONDITIONS: readonly AlertCondition[] = [
  { kind: 'above', price: new Decimal(110_000) },
  { kind: 'crosses-below', price: new Decimal(99_500) },
  { kind: 'change', direction: 'down', percent: new Decimal(5), since: 'day' },
  { kind: 'change', direction: 'up', percent: new Decimal(3), since: 'set', basePrice: new Decimal(98_700) },
  { kind: 'rsi', side: 'below', level: new Decimal(30), period: 14 },
  { kind: 'ma-cross', direction: 'up', fast: 50, slow: 200 },
  { kind: 'ma-cross', direction: 'down', fast: 1, slow: 20 },
  { kind: 'volume', multiple: new Decimal(3) },
  { kind: 'year-high' },
];

/** A level may have been reached by the range of the day alone. */
const howOf = ({ kind }: AlertCondition, { dayRange, asOf }: Quote): Parameters<typeof firingMessage>[3] =>
  kind === 'above' && dayRange
    ? { reached: { side: 'high', value: dayRange.high, from: asOf.subtract({ hours: 2 }), to: asOf } }
    : {};

/** The messages of alerts that fire, with the facts of the alert and of its quote. */
export const sayAlerts = async ({ symbols }: Features, locale: Locale): Promise<readonly Said[]> => {
  const match = symbols.resolve('005930');
  if (match.status !== 'found') throw new Error('Not found');
  const { instrument } = match;
  const [result] = await sampleMarket.getQuotes([instrument], new AbortController().signal);
  if (result?.status !== 'ok') throw new Error('No quote');
  const { quote } = result;
  return CONDITIONS.map((condition) => {
    const record: AlertRecord = {
      id: asId<AlertId>('abcdef'),
      ownerId: asId<OwnerId>('owner'),
      instrument,
      condition,
      status: 'active',
      isRepeating: false,
      cooldownMinutes: 60,
      usesExtendedHours: false,
      side: 'unknown',
      memory: '',
      firedCount: 0,
      target: toolContextOf().target,
      setByName: 'Mina',
      locale,
      timeZone: 'Asia/Seoul',
      createdAt: quote.asOf,
      version: 1,
    };
    const content = firingMessage(record, quote, [], howOf(condition, quote)).text ?? '';
    const facts = [...alertFacts(record), ...quoteFacts(quote)];
    return saidTo(`alert ${condition.kind} (${locale})`, { content, facts }, '');
  });
};
