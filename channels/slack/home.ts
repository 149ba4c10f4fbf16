import { LRUCache } from 'lru-cache';
import type { ChannelHost } from '#src/kernel/channel.ts';
import { writeHints } from '#src/kernel/command-hints.ts';
import { errorMessage } from '#src/kernel/errors.ts';
import { SerialQueue } from '#src/platform/serial-queue.ts';
import { type HomeNotice, homeView } from './home-view.ts';
import { senderOf } from './inbound.ts';
import { slackHint } from './markup.ts';
import type { SlackDeps, SlackIdentity } from './settings.ts';
import type { SlackApi } from './api.ts';
import type { Directory } from './directory.ts';

/** The home tab of the app, which each person has for themselves. */
export interface SlackHome {
  /** The person opened it or wants it anew. Returns at once. */
  readonly open: (userId: string) => void;
  /** The person's data may have changed. An opened page is written again if it has. Returns at once. */
  readonly touched: (userId: string, afterMs?: number) => void;
  /** Shows what came of a press on the page. Throws `ChannelError`. */
  readonly show: (userId: string, notice: HomeNotice) => Promise<void>;
}

/** A page is written at most once in this time, except to show what came of a press. */
const MIN_GAP_MS = 3_000;
/** Several changes in a row are one. */
const SETTLE_MS = 1_000;
/** When prices that came too late are asked for again. */
const AGAIN_MS = 4_000;
const MAX_AGAIN = 2;
/** Who has not opened the page for a day gets it new when they do. */
const FORGET_MS = 24 * 60 * 60_000;
const MAX_PAGES = 2_000;

interface Page {
  openedAtMs: number;
  writtenAtMs: number;
  /** The version of the data that the page shows. */
  version: string | undefined;
  notice: HomeNotice | undefined;
  again: number;
  timer: { readonly cancel: () => void; readonly atMs: number; readonly isWanted: boolean } | undefined;
}

interface HomeDeps extends Pick<SlackDeps, 'clock' | 'logger'> {
  readonly api: SlackApi;
  readonly directory: Directory;
  /** Undefined until Slack has named the bot. */
  readonly self: () => SlackIdentity | undefined;
  /** Undefined until the channel has been started. */
  readonly host: () => Pick<ChannelHost, 'home' | 'commands'> | undefined;
  readonly closing: AbortSignal;
  /** For work that nobody waits for. It must not reject. */
  readonly inBackground: (work: Promise<void>) => void;
}

export const createSlackHome = (deps: HomeDeps): SlackHome => {
  const { api, directory, clock, logger, closing } = deps;
  const pages = new LRUCache<string, Page>({ max: MAX_PAGES, dispose: (page) => page.timer?.cancel() });
  const inTurn = new SerialQueue();
  closing.addEventListener('abort', () => pages.clear(), { once: true });

  const pageOf = (userId: string): Page => {
    const known = pages.get(userId);
    if (known) return known;
    const page: Page = {
      openedAtMs: clock.monotonicMs(),
      writtenAtMs: -Infinity,
      version: undefined,
      notice: undefined,
      again: 0,
      timer: undefined,
    };
    pages.set(userId, page);
    return page;
  };

  const readerOf = async (userId: string) => {
    const self = deps.self();
    const host = deps.host();
    if (!self || !host) return undefined;
    const person = await directory.person(userId);
    return { host, reader: senderOf(userId, { self, person }, undefined) };
  };

  const write = (userId: string, page: Page): Promise<void> =>
    inTurn.run(userId, async () => {
      const known = await readerOf(userId);
      if (!known) return;
      const { host, reader } = known;
      page.writtenAtMs = clock.monotonicMs();
      // Read first: a change that comes meanwhile is noticed with the next check.
      const version = await host.home.versionOf(reader);
      const home = await host.home.compose(reader, closing);
      const hints = (text: string): string => writeHints(text, host.commands(), slackHint, home.locale);
      const view = homeView(home, page.notice, { question: host.home.question, hints });
      await api.call('views.publish', { user_id: userId, view });
      page.version = version;
      if (!home.isPartial || page.again >= MAX_AGAIN) return;
      page.again += 1;
      plan(userId, page, AGAIN_MS, true);
    });

  const isChanged = async (userId: string, page: Page): Promise<boolean> => {
    const known = await readerOf(userId);
    return known !== undefined && (await known.host.home.versionOf(known.reader)) !== page.version;
  };

  const work = async (userId: string, page: Page, isWanted: boolean): Promise<void> => {
    try {
      if (isWanted || (await isChanged(userId, page))) await write(userId, page);
    } catch (error) {
      if (!closing.aborted) logger.warn('Slack: could not write a home tab', { reason: errorMessage(error) });
    }
  };

  /** The earlier of two plans counts; one that wants the page in any case is not lost. */
  const plan = (userId: string, page: Page, afterMs: number, isWanted: boolean): void => {
    if (closing.aborted) return;
    const nowMs = clock.monotonicMs();
    const { timer } = page;
    const soonestMs = Math.max(nowMs + afterMs, page.writtenAtMs + MIN_GAP_MS);
    const atMs = Math.min(soonestMs, timer?.atMs ?? Infinity);
    timer?.cancel();
    const wanted = isWanted || timer?.isWanted === true;
    const cancel = clock.after(Math.max(0, atMs - nowMs), () => {
      page.timer = undefined;
      deps.inBackground(work(userId, page, wanted));
    });
    page.timer = { cancel, atMs, isWanted: wanted };
  };

  return {
    open: (userId) => {
      const page = pageOf(userId);
      page.openedAtMs = clock.monotonicMs();
      page.notice = undefined;
      page.again = 0;
      plan(userId, page, 0, true);
    },
    touched: (userId, afterMs = SETTLE_MS) => {
      const page = pages.get(userId);
      if (!page || clock.monotonicMs() - page.openedAtMs > FORGET_MS) return;
      plan(userId, page, afterMs, false);
    },
    show: async (userId, notice) => {
      const page = pageOf(userId);
      page.notice = notice;
      await write(userId, page);
    },
  };
};
