import { GatewayDispatchEvents, GatewayOpcodes } from 'discord.js';
import { z } from 'zod';
import { type WireFields, fieldsIn, isObject } from '../wire.ts';

/** A shard of the library. */
export interface FrameReader {
  /** The frame in a piece of data; null if there is none. */
  readonly unpackMessage: (data: unknown, isBinary: boolean) => Promise<unknown>;
}

const RESUMED: string = GatewayDispatchEvents.Resumed;
const READY_EVENT: string = GatewayDispatchEvents.Ready;

const named = z.object({ id: z.string() });
const READY = z.object({
  session_id: z.string(),
  resume_gateway_url: z.url(),
  user: named,
  application: named,
  guilds: z.array(named),
});
const HELLO = z.object({ heartbeat_interval: z.number().positive() });

/** Whether a frame has what the library takes for granted. */
const isReadable = ({ op, t: type, s: sequence, d: data }: WireFields): boolean => {
  switch (op) {
    case GatewayOpcodes.Dispatch:
      if (typeof type !== 'string' || !Number.isInteger(sequence)) return false;
      if (type === RESUMED) return true;
      return type === READY_EVENT ? READY.safeParse(data).success : isObject(data);
    case GatewayOpcodes.Hello:
      return HELLO.safeParse(data).success;
    case GatewayOpcodes.InvalidSession:
      return typeof data === 'boolean';
    default:
      return true;
  }
};

/** Reports an event that could not be read or handled; the next one goes on. */
export type EventFailed = (event: string, error: unknown) => void;

/** Keeps unreadable frames from the library, which would end the process over them. */
export const keepUnreadable = (shard: FrameReader, failed: EventFailed): void => {
  const unpack = shard.unpackMessage.bind(shard);
  Object.assign(shard, {
    unpackMessage: async (data: unknown, isBinary: boolean) => {
      const frame = await unpack(data, isBinary);
      if (frame === null) return null;
      if (isObject(frame) && isReadable(frame)) return frame;
      const { t: type } = fieldsIn(frame);
      failed(typeof type === 'string' ? type : 'frame', new Error('a frame of an unknown form'));
      return null;
    },
  });
};
