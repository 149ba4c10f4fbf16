import { expect, it } from 'vitest';
import { asId, type ChannelId, type ChatId } from '#src/kernel/ids.ts';
import { liveModeOf } from '#src/chat/reply/live-mode.ts';

const place = (channelId: string, chatId: string) => ({
  channelId: asId<ChannelId>(channelId),
  chatId: asId<ChatId>(chatId),
});

it('shows answers as the server chose, else as configured for the chat, the platform, or at all', () => {
  const settings = { mode: 'status', channels: { discord: 'stream', 'discord:1': 'off' } } as const;
  expect(liveModeOf(settings, { live: 'status' }, place('discord', '1'))).toBe('status');
  expect(liveModeOf(settings, {}, place('discord', '1'))).toBe('off');
  expect(liveModeOf(settings, {}, place('discord', '2'))).toBe('stream');
  expect(liveModeOf(settings, {}, place('slack', '1'))).toBe('status');
});
