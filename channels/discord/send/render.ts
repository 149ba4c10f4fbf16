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
  asksFirst,
  type Choice,
  type ChoiceEffect,
  effectOf,
  type ReplyPayload,
} from '#src/kernel/chat/message.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { cut } from '#src/kernel/text.ts';
import { withoutLinks, withPointedAddresses, withVisibleLinks } from '#src/platform/text/visible-links.ts';
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
  ['one:', 'once'],
] as const satisfies readonly (readonly [string, ChoiceEffect | undefined])[];

const prefixOf = (effect: ChoiceEffect | undefined): string =>
  PREFIXES.find(([, each]) => each === effect)?.[0] ?? PREFIXES[0][0];

/** Before the id of a button that is asked about first. The red button of the question has the rest of it. */
const ASK = 'ask:';
/** The grey button of the question. */
const KEEP = 'keep';
export const isKeepButton = (customId: string): boolean => customId === KEEP;

interface PressedChoice extends Pick<Choice, 'command' | 'effect'> {
  readonly asksFirst: boolean;
}

/** The command behind a button and its effect; undefined for buttons of another kind. */
export const choiceOfButton = (customId: string): PressedChoice | undefined => {
  const isAsked = customId.startsWith(ASK);
  const id = isAsked ? customId.slice(ASK.length) : customId;
  const [prefix, effect] = PREFIXES.find(([each]) => id.startsWith(each)) ?? [];
  if (prefix === undefined) return undefined;
  return { command: id.slice(prefix.length), ...(effect && { effect }), asksFirst: isAsked };
};

export type Rows = readonly APIMessageTopLevelComponent[];

const buttonIn = (components: Rows, customId: string) =>
  components
    .flatMap((row) => (row.type === ComponentType.ActionRow ? row.components : []))
    .filter((each) => each.type === ComponentType.Button)
    .find((each) => 'custom_id' in each && each.custom_id === customId);

/** Whether the button is shown as a warning, because it deletes something. */
export const isDangerous = (components: Rows, customId: string): boolean =>
  buttonIn(components, customId)?.style === ButtonStyle.Danger;

/** The answer can still be rated. */
const withDisabled = (components: Rows, isDisabled: boolean): Rows =>
  components.map((row) =>
    row.type === ComponentType.ActionRow
      ? {
          ...row,
          components: row.components.map((each) =>
            'custom_id' in each && ratingOfButton(each.custom_id) ? each : { ...each, disabled: isDisabled },
          ),
        }
      : row,
  );

const isQuestion = (row: Rows[number]): boolean =>
  row.type === ComponentType.ActionRow &&
  row.components.some((each) => 'custom_id' in each && isKeepButton(each.custom_id));

const withoutQuestion = (components: Rows): Rows => components.filter((row) => !isQuestion(row));

/** The buttons of a message, none of which can be pressed any more. */
export const withoutEffect = (components: Rows): Rows => withDisabled(withoutQuestion(components), true);

/** The buttons as they were before the question. */
export const asBefore = (components: Rows): Rows => withDisabled(withoutQuestion(components), false);

/** The buttons without the pressed one, as they were before it was asked about. */
export const withoutButton = (components: Rows, customId: string): Rows =>
  asBefore(components).flatMap((row): Rows => {
    if (row.type !== ComponentType.ActionRow) return [row];
    const left = row.components.filter(
      (each) => !('custom_id' in each) || ![customId, ASK + customId].includes(each.custom_id),
    );
    return left.length > 0 ? [{ ...row, components: left }] : [];
  });

const button = (
  style: APIButtonComponentWithCustomId['style'],
  label: string,
  id: string,
): APIButtonComponentWithCustomId => ({ type: ComponentType.Button, style, label, custom_id: id });

/**
 * The buttons of a message below which a pressed one is asked about. All that is needed to go on is in the message, so
 * that nothing is stored and a restart changes nothing.
 */
export const withQuestion = (components: Rows, customId: string, locale: Locale): Rows => {
  const pressed = buttonIn(components, customId);
  const t = channelTexts(locale);
  const question: ButtonRow = {
    type: ComponentType.ActionRow,
    components: [
      button(
        ButtonStyle.Danger,
        (pressed && 'label' in pressed && pressed.label) || t.delete(),
        customId.slice(ASK.length),
      ),
      button(ButtonStyle.Secondary, t.keep(), KEEP),
    ],
  };
  return [...withoutEffect(components), question];
};

const styleOf = ({ isDestructive, isCurrent }: Choice) => {
  if (isDestructive) return ButtonStyle.Danger;
  return isCurrent ? ButtonStyle.Primary : ButtonStyle.Secondary;
};

/** Discord refuses two buttons of one message with the same `custom_id`. */
const toRows = ({ choices = [], rated }: ReplyPayload): readonly ButtonRow[] => {
  const different = [...new Map(choices.map((choice) => [choice.command, choice])).values()];
  const ratings = rated ? ratingButtons(rated) : [];
  // One row is kept for the question.
  const rows = different.some(asksFirst) ? MAX_ROWS - 1 : MAX_ROWS;
  const commands = different
    .slice(0, ROW_BUTTONS * rows - ratings.length)
    .map((choice): APIButtonComponentWithCustomId => ({
      type: ComponentType.Button,
      style: styleOf(choice),
      label: cut(choice.label, MAX_LABEL),
      custom_id: `${asksFirst(choice) ? ASK : ''}${prefixOf(effectOf(choice))}${choice.command}`,
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
