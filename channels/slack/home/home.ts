import { LRUCache } from 'lru-cache';
import type { ChannelHost } from '#src/kernel/channel/host.ts';
import { writeHints } from '#src/platform/text/command-hints.ts';
import { errorMessage } from '#src/kernel/errors.ts';
import { SerialQueue } from '#src/platform/concurrency/serial-queue.ts';
import { type HomeNotice, homeView } from './home-view.ts';
import { senderOf } from '../receive/inbound.ts';
import { slackHint } from '../send/markup.ts';
import type { SlackDeps, SlackIdentity } from '../settings.ts';
import type { SlackApi } from '../api.ts';
import type { SlackDirectory } from '../directory.ts';

/** The home tab of the app, which each person has for themselves. */
export type SlackHome = ReturnType<typeof createSlackHome>;

/** A page is written at most once in this time, except to show what came of a press, or nothing of what was deleted. */
const MIN_GAP_MS = 3_000;
/** Several changes in a row are one. */
const SETTLE_MS = 1_000;
/** When prices that came too late are asked for again. */
const AGAIN_MS = 4_000;
const MAX_AGAIN = 2;
const MAX_PAGES = 2_000;
const MAX_OTHERS = 10_000;

/** The work that this process has with a page. The content of the page is stored. */
interface Page {
  /** Opened at this process, which may not be stored yet. */
  isVisited: boolean;
  writtenAtMs: number;
  notice: HomeNotice | undefined;
  again: number;
  timer: { readonly cancel: () => void; readonly atMs: number; readonly isWanted: boolean } | undefined;
}

interface HomeDeps extends Pick<SlackDeps, 'clock' | 'logger'> {
  readonly api: SlackApi;
  readonly directory: SlackDirectory;
  /** Undefined until Slack has named the bot. */
  readonly self: () => SlackIdentity | undefined;
  /** Undefined until the channel has been started. */
  readonly host: () => Pick<ChannelHost, 'home' | 'commands' | 'others'> | undefined;
  readonly closing: AbortSignal;
  /** For work that nobody waits for. It must not reject. */
  readonly inBackground: (work: Promise<void>) => void;
}

export const createSlackHome = (deps: HomeDeps) => {
  const { api, clock, logger, closing } = deps;
  const pages = new LRUCache<string, Page>({ max: MAX_PAGES, dispose: (page) => page.timer?.cancel() });
  /** People without a page, so that the database is not asked with every answer. Another process may write their first one. */
  const unvisited = new LRUCache<string, true>({ max: MAX_OTHERS });
  const inTurn = new SerialQueue();
  closing.addEventListener('abort', () => pages.clear(), { once: true });

  const write = (userId: string, page: Page): Promise<void> =>
    inTurn.run(userId, async () => {
      const known = await readerOf(deps, userId);
      if (!known) return;
      const { host, reader, person } = known;
      page.writtenAtMs = clock.monotonicMs();
      // Read first, so that a change that comes meanwhile is noticed.
      const version = await host.home.versionOf(reader);
      const home = await host.home.compose(reader, closing);
      const hints = (text: string): string => writeHints(text, host.commands(), slackHint, home.locale);
      const view = homeView(home, page.notice, { question: host.home.question, hints });
      await api.call('views.publish', { user_id: userId, view });
      await host.home.visits.written(person, version);
      if (home.isPartial && page.again < MAX_AGAIN) {
        page.again += 1;
        plan(userId, page, AGAIN_MS, true);
      }
      // Another process may have written a newer page, which this one has just replaced.
      else if ((await host.home.versionOf(reader)) !== version) plan(userId, page, 0, true);
    });

  /** Whether the page shows something else than it should. A page of another process waits as long as one of this. */
  const isOutdated = async (userId: string, page: Page): Promise<boolean> => {
    const known = await readerOf(deps, userId);
    if (!known) return false;
    const { host, reader, person } = known;
    const visit = await host.home.visits.find(person);
    if (!visit) {
      if (!page.isVisited) {
        unvisited.set(userId, true);
        pages.delete(userId);
      }
      return false;
    }
    if ((await host.home.versionOf(reader)) === visit.version) return false;
    const { writtenAt } = visit;
    const waitMs = writtenAt ? MIN_GAP_MS - clock.now().since(writtenAt).total('milliseconds') : 0;
    if (waitMs <= 0) return true;
    plan(userId, page, Math.min(waitMs, MIN_GAP_MS), false);
    return false;
  };

  const warn = (error: unknown): void => {
    if (!closing.aborted) logger.warn('Slack: could not write a home tab', { reason: errorMessage(error) });
  };

  const work = async (userId: string, page: Page, isWanted: boolean): Promise<void> => {
    try {
      if (isWanted || (await isOutdated(userId, page))) await write(userId, page);
    } catch (error) {
      warn(error);
    }
  };

  /** A person who presses a button on the page looks at it. */
  const visited = async (userId: string, page: Page): Promise<void> => {
    unvisited.delete(userId);
    page.isVisited = true;
    try {
      const known = await readerOf(deps, userId);
      await known?.host.home.visits.opened(known.person);
    } catch (error) {
      warn(error);
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
    /** The person opened it or wants it anew. Returns at once. */
    open: (userId: string) => {
      const page = pageOf(pages, userId);
      page.notice = undefined;
      page.again = 0;
      deps.inBackground(visited(userId, page));
      plan(userId, page, 0, true);
    },
    /**
     * The person's data may have changed. A page that was opened in the last months, before whatever restart and at whatever
     * process, is written again if it has. Returns at once.
     */
    touched: (userId: string) => {
      if (unvisited.has(userId) && !deps.host()?.others) return;
      plan(userId, pageOf(pages, userId), SETTLE_MS, false);
    },
    /** The person's data was deleted, and with it that they have opened the page. Returns at once. */
    erased: (userId: string) => {
      const page = pageOf(pages, userId);
      page.isVisited = false;
      page.notice = undefined;
      page.timer?.cancel();
      page.timer = undefined;
      // At once: after the end of this process nobody would know that there is a page.
      deps.inBackground(work(userId, page, true));
    },
    /** Shows what came of a press on the page. Throws `ChannelError`. */
    show: async (userId: string, notice: HomeNotice) => {
      const page = pageOf(pages, userId);
      page.notice = notice;
      await visited(userId, page);
      await write(userId, page);
    },
  };
};

const readerOf = async (
  { directory, ...deps }: Pick<HomeDeps, 'directory' | 'self' | 'host'>,
  userId: string,
) => {
  const self = deps.self();
  const host = deps.host();
  if (!self || !host) return undefined;
  const person = await directory.person(userId);
  const reader = senderOf(userId, { self, person }, undefined);
  if (!host.home.isFor(reader)) return undefined;
  return { host, reader, person: { channelId: reader.channelId, userId: reader.senderId } };
};

const pageOf = (pages: LRUCache<string, Page>, userId: string): Page => {
  const known = pages.get(userId);
  if (known) return known;
  const page: Page = {
    isVisited: false,
    writtenAtMs: -Infinity,
    notice: undefined,
    again: 0,
    timer: undefined,
  };
  pages.set(userId, page);
  return page;
};
