import type { ChannelRights } from './api.ts';
import { refusal } from './errors.ts';
import { canRead, rightsIn } from './session.ts';
import type { ChannelState, MessageState, State } from './state.ts';

/** Each throws the refusal that Discord would give. */
export const channelFor = (state: State, id: string | undefined): ChannelState => {
  const channel = state.channels.get(id ?? '');
  if (!channel) throw refusal('unknownChannel');
  if (!canRead(state, channel)) throw refusal('missingAccess');
  return channel;
};

export const messageFor = (channel: ChannelState, id: string | undefined): MessageState => {
  const message = channel.messages.get(id ?? '');
  // What only one person sees can only be reached through its interaction.
  if (!message || message.ephemeralFor !== undefined) throw refusal('unknownMessage');
  return message;
};

export const demand = (
  state: State,
  channel: ChannelState,
  ...rights: readonly (keyof ChannelRights)[]
): void => {
  const given = rightsIn(state, channel);
  if (rights.some((right) => given[right] === false)) throw refusal('missingPermissions');
};

export const isReader = (state: State): boolean => state.options.grantedIntents.includes('MessageContent');
