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
import { type Choice, type ChoiceEffect, effectOf, type ReplyPayload } from '#src/kernel/message.ts';
import { cut } from '#src/kernel/text.ts';
import { withoutLinks, withPointedAddresses, withVisibleLinks } from '#src/kernel/visible-links.ts';
import { leadOf, toEmbeds, withNativeTimes } from './cards.ts';
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
const ROW_BUTTONS = 5;
const MAX_ROWS = 5;
const MAX_LABEL = 80;

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
  isLedByCards,
}: Pick<ReplyPayload, 'cards' | 'text' | 'mentions' | 'isLedByCards'>): string => {
  const mention = mentions === undefined ? '' : `<@${mentions}> `;
  const lead = leadOf({ cards, ...(isLedByCards && { isLedByCards }) });
  const first = lead === '' || text === '' ? lead : `${lead}\n\n`;
  const room = MAX_CONTENT - mention.length - first.length;
  const visible = withNativeTimes(withVisibleLinks(text));
  const shown = cards.length > 0 ? withPointedAddresses(visible) : visible;
  const isCut = shown.length > room && text.length <= MAX_CONTENT;
  return mention + first + (isCut ? cut(withoutLinks(visible), room) : shown);
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
