import {
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  type APIEmbed,
  type APIMessageTopLevelComponent,
  ButtonStyle,
  ComponentType,
  MessageFlags,
} from 'discord.js';
import { type Locale, replyLocale } from '#src/kernel/locale.ts';
import {
  type Card,
  type Choice,
  type ChoiceEffect,
  effectOf,
  type ReplyPayload,
} from '#src/kernel/message.ts';
import { nativeMoments } from '#src/kernel/moment.ts';
import { cut } from '#src/kernel/text.ts';
import { withoutLinks, withPointedAddresses, withVisibleLinks } from '#src/kernel/visible-links.ts';
import { ratingButtons, ratingOfButton } from './feedback.ts';

export type ButtonRow = APIActionRowComponent<APIButtonComponentWithCustomId>;

/** By default no message notifies anybody, whatever its text contains. */
export const NO_MENTIONS = { parse: [], replied_user: false } as const;

type AllowedMentions = typeof NO_MENTIONS & { readonly users?: readonly string[] };

export interface MessageBody {
  readonly content: string;
  readonly embeds: readonly APIEmbed[];
  readonly components: readonly ButtonRow[];
  readonly flags: number;
  readonly allowed_mentions: AllowedMentions;
}

export const MAX_CONTENT = 2_000;
const LIMITS = {
  embeds: 10,
  title: 256,
  headline: 1_000,
  smallPrint: 1_000,
  fields: 25,
  name: 256,
  value: 1_024,
  footer: 2_048,
};
const MAX_EMBED_CHARS = 6_000;
const ROW_BUTTONS = 5;
const MAX_ROWS = 5;
const MAX_LABEL = 80;
const BLANK = '\u200b';

/** Korean readers expect red for a rise and blue for a fall; others expect green and red. */
const COLOURS: Readonly<Record<Locale, Readonly<Record<Card['tone'], number>>>> = {
  ko: { up: 0xd6_2f_2f, down: 0x2f_5f_d6, flat: 0x80_84_8e },
  en: { up: 0x2e_a0_43, down: 0xd6_2f_2f, flat: 0x80_84_8e },
};

/** Escapes Markdown: the text of cards is plain. */
const plain = (text: string): string => text.replaceAll(/[\\*_~`|>[\]]/g, '\\$&');

/** Discord shows each reader their own zone. The markup is never longer than the written time. */
const withNativeTimes = (text: string): string =>
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

const toEmbeds = ({ cards = [] }: Pick<ReplyPayload, 'cards'>, locale: Locale): readonly APIEmbed[] =>
  withinLimit(
    cards.map((card) => ({
      title: cut(plain(card.title), LIMITS.title),
      description: [
        `**${cut(plain(card.headline), LIMITS.headline)}**`,
        ...(hasTime(card.footer)
          ? [`-# ${withNativeTimes(plain(cut(card.footer, LIMITS.smallPrint)))}`]
          : []),
      ].join('\n'),
      color: COLOURS[locale][card.tone],
      fields: card.fields.slice(0, LIMITS.fields).map(({ name, value }) => ({
        name: cut(plain(name), LIMITS.name) || BLANK,
        value: withNativeTimes(cut(plain(value), LIMITS.value)) || BLANK,
        inline: true,
      })),
      // Discord renders no time markup in a footer, so a footer with a time goes below the headline.
      ...(hasTime(card.footer) ? {} : { footer: { text: cut(card.footer, LIMITS.footer) } }),
    })),
  );

/** Cards as text, for channels where the bot may not post embeds. */
export const cardsAsText = (cards: readonly Card[]): string =>
  cards
    .map(({ title, headline, fields, footer }) =>
      [
        `**${plain(title)}**`,
        plain(headline),
        ...fields.map(({ name, value }) => `${plain(name)}: ${plain(value)}`),
        `-# ${plain(footer)}`,
      ].join('\n'),
    )
    .join('\n\n');

const PREFIXES = [
  ['say:', undefined],
  ['put:', 'replaces'],
  ['end:', 'ends'],
] as const satisfies readonly (readonly [string, ChoiceEffect | undefined])[];

const prefixOf = (effect: ChoiceEffect | undefined): string =>
  PREFIXES.find(([, each]) => each === effect)?.[0] ?? PREFIXES[0][0];

/** The command behind a button and its effect; undefined for buttons of another kind. */
export const choiceOfButton = (customId: string): Pick<Choice, 'command' | 'effect'> | undefined => {
  const [prefix, effect] = PREFIXES.find(([each]) => customId.startsWith(each)) ?? [];
  if (prefix === undefined) return undefined;
  const command = customId.slice(prefix.length);
  return effect === undefined ? { command } : { command, effect };
};

/** The buttons of a message, none of which can be pressed any more. The answer can still be rated. */
export const withoutEffect = (components: readonly APIMessageTopLevelComponent[]) =>
  components.map((row) =>
    row.type === ComponentType.ActionRow
      ? {
          ...row,
          components: row.components.map((each) =>
            'custom_id' in each && ratingOfButton(each.custom_id) ? each : { ...each, disabled: true },
          ),
        }
      : row,
  );

const styleOf = ({ isDestructive, isCurrent }: Choice) => {
  if (isDestructive) return ButtonStyle.Danger;
  return isCurrent ? ButtonStyle.Primary : ButtonStyle.Secondary;
};

/** Discord refuses two buttons of one message with the same `custom_id`. */
const toRows = ({ choices = [], rated }: ReplyPayload): readonly ButtonRow[] => {
  const different = [...new Map(choices.map((choice) => [choice.command, choice])).values()];
  const ratings = rated ? ratingButtons(rated) : [];
  const commands = different
    .slice(0, ROW_BUTTONS * MAX_ROWS - ratings.length)
    .map((choice): APIButtonComponentWithCustomId => ({
      type: ComponentType.Button,
      style: styleOf(choice),
      label: cut(choice.label, MAX_LABEL),
      custom_id: `${prefixOf(effectOf(choice))}${choice.command}`,
    }));
  const buttons = [...commands, ...ratings];
  return Array.from({ length: Math.ceil(buttons.length / ROW_BUTTONS) }, (_none, row) => ({
    type: ComponentType.ActionRow,
    components: buttons.slice(row * ROW_BUTTONS, (row + 1) * ROW_BUTTONS),
  }));
};

/**
 * The text of a message. Previews are suppressed, because Discord would request addresses that the model wrote. The
 * flag for that would hide our own cards, so beside cards every address is written as `<…>`.
 */
export const contentOf = ({
  text,
  cards = [],
  mentions,
}: Pick<ReplyPayload, 'cards' | 'text' | 'mentions'>): string => {
  const mention = mentions === undefined ? '' : `<@${mentions}> `;
  const room = MAX_CONTENT - mention.length;
  const visible = withNativeTimes(withVisibleLinks(text));
  const shown = cards.length > 0 ? withPointedAddresses(visible) : visible;
  const isCut = shown.length > room && text.length <= MAX_CONTENT;
  return mention + (isCut ? cut(withoutLinks(visible), room) : shown);
};

export const toBody = (payload: ReplyPayload, fixed: Locale | 'auto'): MessageBody => {
  const embeds = toEmbeds(payload, replyLocale(payload, fixed));
  const { mentions } = payload;
  return {
    content: contentOf(payload),
    embeds,
    components: toRows(payload),
    flags: embeds.length === 0 ? MessageFlags.SuppressEmbeds : 0,
    allowed_mentions: mentions === undefined ? NO_MENTIONS : { ...NO_MENTIONS, users: [mentions] },
  };
};

export const sentence = (content: string): MessageBody => toBody({ text: content }, 'auto');
