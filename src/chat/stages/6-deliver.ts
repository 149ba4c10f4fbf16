import { failureMessages, sourceMessages } from '../reply/messages.ts';
import type { FeedbackMode } from '#src/kernel/feedback.ts';
import type { ChatPlace, Choice, MsgContext } from '#src/kernel/message.ts';
import { type PipelineStage, StageResult } from '#src/kernel/stage.ts';
import { zoneQuestion } from '#src/language/zone-question.ts';
import { type Delivery, deliveryFailure, type DeliveryReport } from '../reply/delivery.ts';
import type { Answered } from './stage-types.ts';

/** Names the message and not "the last answer", because it may be pressed hours later and by anybody in the chat. */
const whyChoice = ({ inboxId, locale }: MsgContext): Choice => ({
  label: sourceMessages(locale).why(),
  command: `/why ${inboxId}`,
});

/** Discord and Slack show this many buttons below a message. */
const MAX_BUTTONS = 25;
const THUMBS = 2;

const QUESTION = /[?？]\s*$/u;

/** The words of a model stay when a control is pressed: its answer is a new message. Only a bare card or picture is replaced. */
const controlsUnder = ({ result, answer, cards, channel }: Answered): readonly Choice[] => {
  const { controls = [] } = result;
  const { needsInput, cleanContent } = answer;
  // Where a number picks a choice, it may also be the answer to the model's question.
  if (channel.capabilities.numbersChoices && (needsInput || QUESTION.test(cleanContent))) return [];
  const isBare = cards?.text === '' || cleanContent === '';
  return isBare ? controls : controls.map(({ effect: _replaces, ...control }) => control);
};

interface FeedbackSettings {
  readonly mode?: FeedbackMode | undefined;
  /** By platform (`discord`) or chat (`discord:123`). */
  readonly channels: Readonly<Record<string, FeedbackMode>>;
}

/** The setting of the chat overrides that of its platform. A channel without a preference of its own cannot ask. */
export const asksFeedback = (
  { mode, channels }: FeedbackSettings,
  { channelId, chatId, chatType }: ChatPlace,
  preferred: FeedbackMode | undefined,
): boolean => {
  if (preferred === undefined) return false;
  const chosen = channels[`${channelId}:${chatId}`] ?? channels[channelId] ?? mode ?? preferred;
  return chosen === 'on' || (chosen === 'direct' && chatType === 'direct');
};

interface DeliverDeps {
  readonly delivery: Delivery;
  /** Whether readers are asked what they think of an answer in this chat. */
  readonly asksFeedback: (ctx: MsgContext) => boolean;
}

/** Sends the answer. An empty answer becomes a message, never silence. */
export const deliver = (deps: DeliverDeps): PipelineStage<Answered, DeliveryReport> => ({
  name: 'deliver',
  execute: async (input, signal) => {
    const { facts, media, dependsOnZone, isExplainable, answeredBy } = input.result;
    // A message that stands for a missing answer is not the model's.
    const isRated = input.answer.cleanContent !== '' && deps.asksFeedback(input.ctx);
    // Asked by the program: a model could forget to mention a guessed zone.
    const question = dependsOnZone ? zoneQuestion(input.ctx) : undefined;
    const asked = (said: string): string => (question ? `${said}\n\n${question.text}` : said);
    const text = asked(input.answer.cleanContent || failureMessages(input.ctx.locale).emptyAnswer());
    const cards = input.cards && { ...input.cards, text: asked(input.cards.text) };
    const asking = question?.choices ?? [];
    const sources = isExplainable ? [whyChoice(input.ctx)] : [];
    const room = MAX_BUTTONS - asking.length - sources.length - (isRated ? THUMBS : 0);
    const choices = [...asking, ...controlsUnder(input).slice(0, room), ...sources];
    const reply = {
      text,
      facts,
      ...(media && { media }),
      ...(cards && { cards }),
      ...(choices.length > 0 && { choices }),
      ...(isRated && { rated: { answerId: input.ctx.inboxId, ...answeredBy } }),
    };
    const report = await deps.delivery.deliver(input.ctx, reply, input.channel, signal);
    const failure = deliveryFailure(report);
    return failure ? StageResult.abort(failure.message, failure) : StageResult.continue(report);
  },
});
