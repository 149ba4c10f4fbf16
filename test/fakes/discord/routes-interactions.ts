import { draftOf } from './draft.ts';
import { checkCount, checkLength, invalid, refusal } from './errors.ts';
import { type Answer, type Call, type Handler, NO_CONTENT, ok, type Route } from './http.ts';
import { choicesOf, modalOf } from './interactions.ts';
import { isEphemeral, wireMessage } from './message-wire.ts';
import { addMessage, deleteMessage, editMessage } from './messages.ts';
import type { ChannelState, InteractionState, MessageState, Saying, State } from './state.ts';
import { seenMessage } from './views.ts';
import { asNumber, asWire, asWires, FLAG, timeOfSnowflake, type Wire } from './wire.ts';

/** Which answers each kind of interaction may get. */
const CALLBACKS: Readonly<Record<InteractionState['type'], readonly number[]>> = {
  2: [4, 5, 9],
  3: [4, 5, 6, 7, 9],
  4: [8],
  5: [4, 5, 6, 7],
};

const THINKING: Saying = { content: '', embeds: [], components: [], attachments: [], flags: FLAG.loading };

const channelFor = (state: State, interaction: InteractionState): ChannelState => {
  const channel = state.channels.get(interaction.channelId);
  if (!channel) throw refusal('unknownChannel');
  return channel;
};

const post = (
  { state }: Call,
  interaction: InteractionState,
  draft: { readonly saying: Saying; readonly allowedMentions?: Wire | undefined },
): MessageState => {
  const message = addMessage(state, channelFor(state, interaction), {
    author: state.bot,
    ...draft,
    type: interaction.type === 2 ? 20 : 0,
    interactionId: interaction.id,
    ...((draft.saying.flags & FLAG.ephemeral) === 0 ? {} : { ephemeralFor: interaction.user.id }),
  });
  interaction.answerIds.push(message.id);
  state.record({ type: 'posted', message: seenMessage(state, message) });
  return message;
};

const edit = (call: Call, interaction: InteractionState, message: MessageState, body: Wire): void => {
  const { state } = call;
  const draft = draftOf(state, body, call.files, message.saying);
  editMessage(state, channelFor(state, interaction), message, draft.saying, draft.allowedMentions);
  state.record({ type: 'edited', message: seenMessage(state, message) });
};

const checkModal = (data: Wire): void => {
  checkLength(data['custom_id'], 'data.custom_id', 100, 1);
  checkLength(data['title'], 'data.title', 45, 1);
  checkCount(asWires(data['components']), 'data.components', 5, 1);
  for (const [at, field] of modalOf(data).fields.entries()) {
    checkLength(field.customId, `data.components.${at}.custom_id`, 100, 1);
    checkLength(field.label, `data.components.${at}.label`, 45, 1);
  }
};

const checkChoices = (data: Wire): void => {
  const choices = choicesOf(data);
  checkCount(choices, 'data.choices', 25);
  for (const [at, { name, value }] of choices.entries()) {
    checkLength(name, `data.choices.${at}.name`, 100, 1);
    if (typeof value === 'string') checkLength(value, `data.choices.${at}.value`, 100, 1);
  }
};

/** The message that a button was on. */
const sourceOf = (state: State, interaction: InteractionState): MessageState | undefined =>
  channelFor(state, interaction).messages.get(interaction.sourceId ?? '');

const perform = (call: Call, interaction: InteractionState, type: number, data: Wire): void => {
  const { state } = call;
  const flags = asNumber(data['flags']);
  switch (type) {
    case 4:
      interaction.originalId = post(call, interaction, draftOf(state, data, call.files)).id;
      return;
    case 5: {
      const saying = { ...THINKING, flags: FLAG.loading | (flags & FLAG.ephemeral) };
      interaction.originalId = post(call, interaction, { saying }).id;
      return;
    }
    case 6:
    case 7: {
      const source = sourceOf(state, interaction);
      if (!source) throw refusal('unknownMessage');
      if (type === 7) edit(call, interaction, source, data);
      interaction.originalId = source.id;
      return;
    }
    case 8:
      checkChoices(data);
      interaction.choices = choicesOf(data);
      return;
    default:
      checkModal(data);
      interaction.modal = modalOf(data);
      interaction.modalWire = data;
  }
};

const callback: Handler = (call) => {
  const { state, params, body } = call;
  const interaction = state.interactions.get(params['interaction'] ?? '');
  if (!interaction || interaction.token !== params['token']) throw refusal('unknownInteraction');
  if (interaction.callback) throw refusal('alreadyAcknowledged');
  const afterMs = performance.now() - interaction.startedMs;
  if (afterMs > state.options.interactionDeadlineMs) throw refusal('unknownInteraction');
  const type = asNumber(body['type']);
  if (!CALLBACKS[interaction.type].includes(type))
    throw invalid(
      'type',
      'BASE_TYPE_CHOICES',
      `Value must be one of {${CALLBACKS[interaction.type].join(', ')}}.`,
    );
  const data = asWire(body['data']);
  perform(call, interaction, type, data);
  const original = channelFor(state, interaction).messages.get(interaction.originalId ?? '');
  const isPrivate = original !== undefined && isEphemeral(original);
  interaction.callback = { type, isEphemeral: isPrivate, afterMs };
  state.record({
    type: 'acknowledged',
    interactionId: interaction.id,
    callbackType: type,
    isEphemeral: isPrivate,
    afterMs,
  });
  call.done('acknowledged', interaction.channelId);
  if (call.query.get('with_response') !== 'true') return NO_CONTENT;
  return ok({
    interaction: {
      id: interaction.id,
      type: interaction.type,
      ...(original
        ? {
            response_message_id: original.id,
            response_message_loading: (original.saying.flags & FLAG.loading) !== 0,
            response_message_ephemeral: isPrivate,
          }
        : {}),
    },
    resource: {
      type,
      ...(original ? { message: wireMessage(state, channelFor(state, interaction), original, true) } : {}),
    },
  });
};

/** By the token alone, as long as it lives, and only after it was acknowledged. */
const interactionOf = ({ state, params }: Call): InteractionState => {
  const interaction = [...state.interactions.values()].find(({ token }) => token === params['token']);
  if (!interaction || params['application'] !== state.applicationId) throw refusal('unknownWebhook');
  const { now, interactionTokenMs } = state.options;
  if (now() - timeOfSnowflake(interaction.id) > interactionTokenMs) throw refusal('invalidWebhookToken');
  if (!interaction.callback || interaction.type === 4) throw refusal('unknownWebhook');
  return interaction;
};

const messageOf = (call: Call, interaction: InteractionState): MessageState => {
  const { state, params } = call;
  const id = params['message'] === '@original' ? interaction.originalId : params['message'];
  const isOurs = id !== undefined && (id === interaction.originalId || interaction.answerIds.includes(id));
  const message = isOurs ? channelFor(state, interaction).messages.get(id) : undefined;
  if (!message) throw refusal('unknownMessage');
  return message;
};

const show = ({ state }: Call, interaction: InteractionState, message: MessageState): Answer =>
  ok(wireMessage(state, channelFor(state, interaction), message, true));

const followUp: Handler = (call) => {
  const { state, body } = call;
  const interaction = interactionOf(call);
  const original = channelFor(state, interaction).messages.get(interaction.originalId ?? '');
  // What comes first after "thinking…" takes its place, and is as private as that was.
  if (original && (original.saying.flags & FLAG.loading) !== 0) {
    edit(call, interaction, original, body);
    call.done('posted', interaction.channelId);
    return show(call, interaction, original);
  }
  const message = post(call, interaction, draftOf(state, body, call.files));
  call.done('posted', interaction.channelId);
  return show(call, interaction, message);
};

const WEBHOOK_MESSAGE = '/webhooks/:application/:token/messages/:message';

export const interactionRoutes: readonly Route[] = [
  { method: 'POST', route: '/interactions/:interaction/:token/callback', isOpen: true, handle: callback },
  { method: 'POST', route: '/webhooks/:application/:token', isOpen: true, handle: followUp },
  {
    method: 'GET',
    route: WEBHOOK_MESSAGE,
    isOpen: true,
    handle: (call) => {
      const interaction = interactionOf(call);
      return show(call, interaction, messageOf(call, interaction));
    },
  },
  {
    method: 'PATCH',
    route: WEBHOOK_MESSAGE,
    isOpen: true,
    handle: (call) => {
      const interaction = interactionOf(call);
      const message = messageOf(call, interaction);
      edit(call, interaction, message, call.body);
      call.done('edited', interaction.channelId);
      return show(call, interaction, message);
    },
  },
  {
    method: 'DELETE',
    route: WEBHOOK_MESSAGE,
    isOpen: true,
    handle: (call) => {
      const interaction = interactionOf(call);
      const message = messageOf(call, interaction);
      deleteMessage(call.state, channelFor(call.state, interaction), message);
      call.state.record({ type: 'deleted', channelId: message.channelId, messageId: message.id });
      call.done('deleted', interaction.channelId);
      return NO_CONTENT;
    },
  },
];
