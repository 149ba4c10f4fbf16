import { asId, type ChannelId } from '../ids.ts';

/** The channel of the terminal in which the program was started: whoever writes there owns the machine. */
export const TERMINAL = asId<ChannelId>('console');

export const isTerminal = (channelId: string): boolean => channelId === TERMINAL;
