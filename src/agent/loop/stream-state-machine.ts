import { FinClawError } from '#src/kernel/errors.ts';
import type { ExecutionEvent, StreamState } from '#src/kernel/agent/execution.ts';

/** Every other state leads to `done`, because an error or abort may come at any time. */
const TRANSITIONS: Readonly<Record<StreamState, readonly StreamState[]>> = {
  idle: ['streaming', 'executing', 'done'],
  streaming: ['tool_use', 'done'],
  // Back to streaming: the attempt failed after its first call, and another one begins.
  tool_use: ['executing', 'streaming', 'done'],
  executing: ['streaming', 'done'],
  done: [],
};

/** The state of a run, with its listeners. An unknown transition is a bug, and throws. */
export class StreamStateMachine {
  #state: StreamState = 'idle';
  readonly #listeners = new Set<(event: ExecutionEvent) => void>();

  /** Returns a function that removes the listener. */
  on(listener: (event: ExecutionEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  transition(to: StreamState): void {
    const from = this.#state;
    if (!TRANSITIONS[from].includes(to)) {
      throw new FinClawError(
        `A run cannot go from ${from} to ${to}, only to ${TRANSITIONS[from].join(' or ') || 'nothing'}`,
        'STREAM_STATE_INVALID',
        { isOperational: false },
      );
    }
    this.#state = to;
    this.emit({ type: 'state_change', from, to });
  }

  /** Transitions to the state unless the run is already in it. */
  ensure(state: StreamState): void {
    if (this.#state !== state) this.transition(state);
  }

  emit(event: ExecutionEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
