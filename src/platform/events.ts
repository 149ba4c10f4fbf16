import type { EventName, Events, FinClawEventMap } from '#src/kernel/operations/events.ts';

type Listener = (name: EventName, payload: FinClawEventMap[EventName]) => void;

/** A listener that throws is reported and skipped, so that it never affects what it observes. */
export const createEvents = (onListenerError: (error: unknown) => void): Events => {
  const listeners: Listener[] = [];
  return {
    emit: (name, payload) => {
      for (const listener of listeners) {
        try {
          listener(name, payload);
        } catch (error) {
          onListenerError(error);
        }
      }
    },
    onAny: (listener) => {
      listeners.push(listener);
    },
  };
};
