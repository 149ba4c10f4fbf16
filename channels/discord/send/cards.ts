import type { APIEmbed } from 'discord.js';
import { type Card, type CardField, cardLine, type Tone, TONE_SIGNS } from '#src/kernel/chat/card.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { ReplyPayload } from '#src/kernel/chat/message.ts';
import { nativeMoments } from '#src/kernel/time.ts';
import { cut } from '#src/kernel/text.ts';
import { withoutLinks } from '#src/platform/text/visible-links.ts';

const LIMITS = {
  embeds: 10,
  title: 256,
  headline: 1_000,
  fields: 25,
  name: 256,
  value: 1_024,
  footer: 2_048,
};
const MAX_EMBED_CHARS = 6_000;
const BLANK = '\u200b';
/** A longer footer stays below the fields: above them it would hide what was asked for. */
const SMALL_PRINT = { chars: 400, lines: 2 };

/** Korean readers expect red for a rise and blue for a fall; others expect green and red. */
const COLOURS: Readonly<Record<Locale, Readonly<Record<Tone, number>>>> = {
  ko: { up: 0xd6_2f_2f, down: 0x2f_5f_d6, flat: 0x80_84_8e },
  en: { up: 0x2e_a0_43, down: 0xd6_2f_2f, flat: 0x80_84_8e },
};

/** Escapes Markdown: the text of cards is plain. */
const plain = (text: string): string => text.replaceAll(/[\\*_~`|>[\]]/g, '\\$&');

/** Discord shows each reader their own zone. The markup is never longer than the written time. */
export const withNativeTimes = (text: string): string =>
  nativeMoments(text, ({ unixSeconds, hasWeekday }) => `<t:${unixSeconds}:${hasWeekday ? 'F' : 'f'}>`);

const hasTime = (text: string): boolean => withNativeTimes(text) !== text;

const sizeOf = ({ title = '', description = '', fields = [], footer }: APIEmbed): number =>
  title.length +
  description.length +
  (footer?.text.length ?? 0) +
  fields.reduce((sum, { name, value }) => sum + name.length + value.length, 0);

/** Keeps as many cards as fit. The last one loses fields rather than being left out. */
const withinLimit = (embeds: readonly APIEmbed[]): readonly APIEmbed[] => {
  let left = MAX_EMBED_CHARS;
  return embeds.slice(0, LIMITS.embeds).flatMap((embed) => {
    let fields = embed.fields ?? [];
    while (fields.length > 0 && sizeOf({ ...embed, fields }) > left) fields = fields.slice(0, -1);
    const fitting = { ...embed, fields };
    if (sizeOf(fitting) > left) return [];
    left -= sizeOf(fitting);
    return [fitting];
  });
};

export const titleOf = ({ title }: Card): string => cut(plain(title), LIMITS.title);

const nameOf = ({ name, tone }: CardField, locale: Locale): string =>
  cut(plain(tone === undefined ? name : `${TONE_SIGNS[locale][tone]} ${name}`), LIMITS.name) || BLANK;

/** Names of fields cannot be links, so the first line below is. */
const valueOf = ({ value, url }: CardField): string => {
  if (url === undefined) return withNativeTimes(cut(plain(value), LIMITS.value)) || BLANK;
  const [first = '', ...rest] = cut(plain(value), LIMITS.value - url.length - 4).split('\n');
  return [`[${first}](${url})`, withNativeTimes(rest.join('\n'))].filter((part) => part !== '').join('\n');
};

/** Discord renders no time markup in a footer, so a short footer with a time goes below the headline. */
const isSmallPrint = (footer: string): boolean =>
  hasTime(footer) && footer.length <= SMALL_PRINT.chars && footer.split('\n').length <= SMALL_PRINT.lines;

const descriptionOf = ({ headline, footer }: Card): string =>
  [
    ...(headline === '' ? [] : [`**${cut(plain(headline), LIMITS.headline)}**`]),
    ...(isSmallPrint(footer) ? footer.split('\n').map((line) => `-# ${withNativeTimes(plain(line))}`) : []),
  ].join('\n');

const toEmbed = (card: Card, locale: Locale): APIEmbed => {
  const description = descriptionOf(card);
  const { url, tone, fields, footer } = card;
  return {
    title: titleOf(card),
    ...(url === undefined ? {} : { url }),
    ...(description === '' ? {} : { description }),
    color: COLOURS[locale][tone],
    fields: fields.slice(0, LIMITS.fields).map((field) => ({
      name: nameOf(field, locale),
      value: valueOf(field),
      inline: field.isWide !== true,
    })),
    ...(footer === '' || isSmallPrint(footer) ? {} : { footer: { text: cut(footer, LIMITS.footer) } }),
  };
};

const isAlone = (cards: readonly Card[]): boolean =>
  cards.filter(({ headline }) => headline !== '').length <= 1;

const MAX_LEAD = 250;

/**
 * The cards in one line, because notifications do not show them: what the first says, or the names of several. Empty if the
 * text is the answer.
 */
export const leadOf = ({
  cards = [],
  isLedByCards,
}: Pick<ReplyPayload, 'cards' | 'isLedByCards'>): string => {
  const [first] = cards;
  if (!first || !isLedByCards) return '';
  const line = isAlone(cards) ? cardLine(first) : cards.map(({ title }) => title).join(', ');
  // Content gets previews, and a name may be an address.
  return cut(plain(withoutLinks(line)), MAX_LEAD);
};

/** A headline that the lead tells already is left out. */
export const toEmbeds = (
  payload: Pick<ReplyPayload, 'cards' | 'isLedByCards'>,
  locale: Locale,
): readonly APIEmbed[] => {
  const { cards = [], isLedByCards } = payload;
  const isTold = isLedByCards && isAlone(cards);
  return withinLimit(
    cards.map((card, index) => toEmbed(isTold && index === 0 ? { ...card, headline: '' } : card, locale)),
  );
};

const fieldText = ({ name, value }: CardField): string =>
  value.includes('\n') ? `**${plain(name)}**\n${plain(value)}` : `${plain(name)}: ${plain(value)}`;

/** Cards as text, for channels where the bot may not post embeds. */
export const cardsAsText = (cards: readonly Card[]): string =>
  cards
    .map(({ title, headline, fields, footer }) =>
      [
        `**${plain(title)}**`,
        ...(headline === '' ? [] : [plain(headline)]),
        ...fields.map(fieldText),
        ...(footer === '' ? [] : footer.split('\n').map((line) => `-# ${plain(line)}`)),
      ].join('\n'),
    )
    .join('\n\n');
