import { type APIGatewayBotInfo, type IIdentifyThrottler, Routes } from 'discord.js';
import type { OtherProcesses } from '#src/kernel/channel/host.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { sleepWithAbort } from '#src/platform/concurrency/retry.ts';
import type { Uses } from '#src/platform/services.ts';
import type { DiscordApi } from '../api.ts';

/** The address of the gateway, how many shards Discord recommends, and how many sessions may still be started. */
export type ReadGatewayInfo = (signal: AbortSignal) => Promise<APIGatewayBotInfo>;

const FRESH_MS = 5_000;
const TIMEOUT_MS = 5_000;
/** Discord allows one IDENTIFY in 5 s. Two of them may be on their way for different times. */
const IDENTIFY_PAUSE_MS = 5_500;

/**
 * Asks again if the answer is older than a few seconds, or allowed no more sessions. What was known before is better than
 * an error.
 */
export const createGatewayInfo = (api: DiscordApi, clock: Clock): ReadGatewayInfo => {
  let known: { readonly info: APIGatewayBotInfo; readonly atMs: number } | undefined;
  return async (signal) => {
    const isFresh = known && clock.monotonicMs() - known.atMs < FRESH_MS;
    if (known && isFresh && known.info.session_start_limit.remaining > 0) return known.info;
    try {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
      const info = await api.request<APIGatewayBotInfo>('GET', Routes.gatewayBot(), {}, limited);
      known = { info, atMs: clock.monotonicMs() };
      return info;
    } catch (error) {
      signal.throwIfAborted();
      if (!known) throw error;
      return known.info;
    }
  };
};

/** Spaces out what this process may do only so often. */
const createOwnTurns = (clock: Clock): OtherProcesses['takeTurn'] => {
  const freeAtMs = new Map<string, number>();
  return async (what, pauseMs, signal) => {
    const nowMs = clock.monotonicMs();
    const turnMs = Math.max(freeAtMs.get(what) ?? nowMs, nowMs);
    freeAtMs.set(what, turnMs + pauseMs);
    if (turnMs > nowMs) await sleepWithAbort(turnMs - nowMs, clock, signal);
  };
};

interface PaceDeps extends Uses<'clock' | 'logger.warn'> {
  readonly readInfo: ReadGatewayInfo;
  readonly pauseMs: number | undefined;
  /** Absent if this process is the only one. */
  readonly takeTurn: OtherProcesses['takeTurn'] | undefined;
}

/**
 * Keeps to the limits for new sessions: `max_concurrency` shards may identify themselves at a time, and all together so
 * often a day. Discord resets the token of a bot that does so too often.
 */
export const createIdentifyPace = (deps: PaceDeps): IIdentifyThrottler => {
  const { readInfo, pauseMs = IDENTIFY_PAUSE_MS, clock, logger } = deps;
  const takeTurn = deps.takeTurn ?? createOwnTurns(clock);
  return {
    waitForIdentify: async (shardId, signal) => {
      for (;;) {
        const { session_start_limit: limit } = await readInfo(signal);
        const bucket = shardId % Math.max(limit.max_concurrency, 1);
        await takeTurn(`identify to Discord ${bucket}`, pauseMs, signal);
        const { session_start_limit: now } = await readInfo(signal);
        if (now.remaining > 0) return;
        const until = clock.now().add({ milliseconds: now.reset_after }).toString();
        logger.warn('Discord allows no more sessions for now; waiting', { shard: shardId, until });
        await sleepWithAbort(now.reset_after, clock, signal);
      }
    },
  };
};
