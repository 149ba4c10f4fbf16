import { codeFor, type Instrument, type SymbolSearch } from '#src/kernel/market/finance.ts';
import { emptyAnswer, type MarketAnswer } from '#src/kernel/chat/answer.ts';
import type { Choice } from '#src/kernel/chat/message.ts';
import type { Requester } from '#src/kernel/people/requester.ts';
import { shortLabel } from '#src/markets/answers/narrow-name.ts';
import { shownTo } from '#src/markets/answers/rate-line.ts';
import { alertTexts } from './texts.ts';

/** A name alone: what people usually wait for is offered. */
export const offerConditions = (
  instrument: Instrument,
  { locale }: Requester,
  symbols: Pick<SymbolSearch, 'resolve'>,
): MarketAnswer => {
  const t = alertTexts(locale);
  const code = codeFor(instrument, symbols);
  const offer = (label: string, condition: string): Choice => ({
    label,
    command: `/alert ${code} ${condition}`,
    answers: 'pick',
    effect: 'ends',
  });
  const choices = [
    ...['+5%', '-5%', '+10%', '-10%'].map((change) =>
      offer(t.offers.fromNow({ change }), `${change} from now`),
    ),
    offer(t.offers.day, '3%'),
    offer(t.offers.news, 'news'),
  ];
  const name = shortLabel(shownTo(instrument, locale).instrument, locale);
  return { ...emptyAnswer(t.offer({ name })), choices };
};
