import type { OperatorReports } from '#src/kernel/operations/operator.ts';
import type { Uses } from '#src/platform/services.ts';
import type { OperatorAccess } from './access.ts';
import type { Page, View } from './page.ts';
import { askedOnce, type Failures, renderSection } from './sections.ts';

interface LiveDeps extends Uses<'clock' | 'logger.error'> {
  readonly reports: OperatorReports;
  readonly access: Pick<OperatorAccess, 'find'>;
  readonly failures: Failures;
}

interface Listening {
  readonly page: Page;
  /** The session, which is checked again before every update. */
  readonly secret: string;
  readonly view: View;
}

interface Listener extends Listening {
  readonly stream: ReadableStreamDefaultController<Uint8Array>;
}

/** Updates of open pages. While nobody listens, nothing is read and no timer runs. */
export type LiveUpdates = ReturnType<typeof createLiveUpdates>;

const EVERY_MS = 2_000;
const MAX_LISTENERS = 20;
/** A browser that has left this many updates unread is gone. */
const MAX_UNREAD = 16;

const encoder = new TextEncoder();
const eventOf = (name: string, data: unknown): Uint8Array<ArrayBuffer> =>
  encoder.encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);

/** The session has ended. */
export const ENDED: Uint8Array<ArrayBuffer> = eventOf('ended', {});

export const createLiveUpdates = ({ reports, access, failures, clock, logger }: LiveDeps) => {
  const listeners = new Set<Listener>();
  let cancelNext: (() => void) | undefined;
  let isUpdating = false;
  let isStopped = false;

  const close = (listener: Listener, event?: Uint8Array): void => {
    if (!listeners.delete(listener)) return;
    if (event) listener.stream.enqueue(event);
    listener.stream.close();
  };

  const update = async (
    listener: Listener,
    shared: OperatorReports,
    now: Temporal.Instant,
  ): Promise<void> => {
    const session = await access.find(listener.secret).catch(() => 'unknown' as const);
    if (session === undefined) return close(listener, ENDED);
    const view = { ...listener.view, reports: shared, now };
    for (const section of listener.page.sections) {
      if (section.isLive !== true) continue;
      const markup = String(await renderSection(section, view, failures));
      if (!listeners.has(listener)) return undefined;
      listener.stream.enqueue(eventOf('part', { id: section.id, html: markup }));
    }
    if ((listener.stream.desiredSize ?? 0) < -MAX_UNREAD) close(listener);
    return undefined;
  };

  const updateAll = async (): Promise<void> => {
    cancelNext = undefined;
    isUpdating = true;
    const shared = askedOnce(reports);
    const now = clock.now();
    await Promise.all(
      [...listeners].map(async (listener) => {
        try {
          await update(listener, shared, now);
        } catch (error) {
          logger.error('An update of the operator page failed', { error });
          listeners.delete(listener);
        }
      }),
    );
    isUpdating = false;
    schedule();
  };
  const schedule = (): void => {
    if (isStopped || isUpdating || cancelNext || listeners.size === 0) return;
    cancelNext = clock.after(EVERY_MS, () => void updateAll());
  };

  return {
    /** A stream of server-sent events. Undefined if too many listen already. */
    open: (listening: Listening): ReadableStream<Uint8Array> | undefined => {
      if (isStopped || listeners.size >= MAX_LISTENERS) return undefined;
      let listener: Listener | undefined;
      return new ReadableStream<Uint8Array>({
        start: (stream) => {
          listener = { ...listening, stream };
          listeners.add(listener);
          stream.enqueue(encoder.encode('retry: 3000\n\n'));
          schedule();
        },
        cancel: () => {
          if (listener) listeners.delete(listener);
          if (listeners.size > 0) return;
          cancelNext?.();
          cancelNext = undefined;
        },
      });
    },
    stop: () => {
      isStopped = true;
      cancelNext?.();
      for (const listener of listeners) close(listener);
    },
  };
};
