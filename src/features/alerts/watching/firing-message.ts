import type { AlertRecord } from '#src/kernel/people/alerts.ts';
import type { NewsItem, Quote } from '#src/kernel/market/finance.ts';
import { alertTexts } from '../texts.ts';
import type { ReplyPayload } from '#src/kernel/chat/message.ts';
import { writeMoment } from '#src/kernel/time.ts';
import { describeQuote, formatPrice, quoteCard } from '#src/markets/answers/quote-text.ts';
import { shownTo } from '#src/markets/answers/rate-line.ts';
import { inMarkdown } from '#src/markets/answers/untrusted-text.ts';
import { alertSubject, describeCondition } from '../conditions/describe-condition.ts';
import type { Outcome } from './evaluate-condition.ts';

const headlineText = (
  { title, publisher, publishedAt, url }: NewsItem,
  { timeZone }: AlertRecord,
): string => {
  const origin = [
    ...(publisher === '' ? [] : [inMarkdown(publisher)]),
    writeMoment(publishedAt, timeZone),
    ...(url === '' ? [] : [`<${url}>`]),
  ].join(' · ');
  return `📰 **${inMarkdown(title)}**\n${origin}`;
};

type How = Pick<Extract<Outcome, { readonly kind: 'fires' }>, 'reached' | 'confirmed'>;

const howText = (
  { reached, confirmed }: How,
  quote: Quote,
  { instrument: of, locale, timeZone }: AlertRecord,
): readonly string[] => {
  const t = alertTexts(locale).events;
  if (!reached) return confirmed ? [t.confirmed[confirmed]] : [];
  const { side, value, from, to } = reached;
  const { instrument, price } = shownTo(of, locale);
  return [
    t.reached[side]({
      from: writeMoment(from ?? to, timeZone),
      to: writeMoment(to, timeZone),
      value: formatPrice(price(value), instrument, locale),
      price: formatPrice(price(quote.price), instrument, locale),
    }),
  ];
};

/** Older headlines are only counted. */
const MAX_HEADLINES = 5;

/** The message of an alert that fired, in the language it was set in. It mentions its owner. */
export const firingMessage = (
  alert: AlertRecord,
  quote: Quote | undefined,
  headlines: readonly NewsItem[],
  how: How = {},
): ReplyPayload => {
  const { id, instrument, locale, target } = alert;
  const t = alertTexts(locale);
  const condition = describeCondition(alert, locale);
  const before = [
    `🔔 **${alertSubject(alert, locale)}**: ${condition}`,
    ...(quote ? howText(how, quote, alert) : []),
    ...headlines.slice(0, MAX_HEADLINES).map((headline) => headlineText(headline, alert)),
    ...(headlines.length > MAX_HEADLINES
      ? [t.moreHeadlines({ count: headlines.length - MAX_HEADLINES, ticker: instrument.ticker })]
      : []),
  ];
  const which = t.firedId({ id });
  return {
    text: [...before, quote ? describeQuote(quote, alert) : t.firedNoPrice, which].join('\n\n'),
    ...(quote && { cards: [quoteCard(quote, alert)], textWithCards: [...before, which].join('\n\n') }),
    typed: t.firedHow({ id }),
    facts: [quote, ...headlines].map((found) => ({ isSample: found?.isSample === true })),
    locale,
    mentions: target.recipientId,
    choices: [
      { label: t.chart, command: `/chart ${instrument.symbol} 1d` },
      { label: t.snoozeHour, command: `/alert snooze ${id} 1h`, effect: 'ends' },
      { label: t.snoozeDay, command: `/alert snooze ${id} 1d`, effect: 'ends' },
      { label: t.delete, command: `/alert delete ${id}`, effect: 'ends', isDestructive: true },
    ],
  };
};
