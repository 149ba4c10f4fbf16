import { describe, expect, it } from 'vitest';
import { StreamStateMachine } from '#src/agent/loop/run.ts';
import type { ExecutionEvent, StreamState } from '#src/kernel/agent/execution.ts';
import { everyRow } from '#test/support/every-row.ts';

const STATES: readonly StreamState[] = ['idle', 'streaming', 'tool_use', 'executing', 'done'];

const ALLOWED: readonly (readonly [StreamState, StreamState])[] = [
  ['idle', 'streaming'],
  ['idle', 'executing'],
  ['idle', 'done'],
  ['streaming', 'tool_use'],
  ['streaming', 'done'],
  ['tool_use', 'executing'],
  ['tool_use', 'streaming'],
  ['tool_use', 'done'],
  ['executing', 'streaming'],
  ['executing', 'done'],
];

const FORBIDDEN = STATES.flatMap((from) =>
  STATES.filter((to) => !ALLOWED.some(([a, b]) => a === from && b === to)).map((to) => [from, to] as const),
);

const WAY_TO: Readonly<Record<StreamState, readonly StreamState[]>> = {
  idle: [],
  streaming: ['streaming'],
  tool_use: ['streaming', 'tool_use'],
  executing: ['executing'],
  done: ['done'],
};

const machineIn = (state: StreamState) => {
  const machine = new StreamStateMachine();
  for (const step of WAY_TO[state]) machine.transition(step);
  const heard: ExecutionEvent[] = [];
  const off = machine.on((event) => heard.push(event));
  return { machine, heard, off };
};

describe('StreamStateMachine', () => {
  everyRow(ALLOWED)('goes from %s to %s, and says so once', (from, to) => {
    const { machine, heard } = machineIn(from);
    machine.transition(to);
    expect(heard).toEqual([{ type: 'state_change', from, to }]);
  });

  everyRow(FORBIDDEN)('does not go from %s to %s: it throws, stays, and says nothing', (from, to) => {
    const { machine, heard } = machineIn(from);
    expect(() => machine.transition(to)).toThrow(
      expect.objectContaining({ code: 'STREAM_STATE_INVALID', isOperational: false }),
    );
    expect(() => machine.transition(to)).toThrow(`cannot go from ${from} to ${to}`);
    expect(heard).toEqual([]);
    const [next] = ALLOWED.find(([state]) => state === from)?.slice(1) ?? [];
    if (!next) return;
    machine.transition(next);
    expect(heard).toEqual([{ type: 'state_change', from, to: next }]);
  });

  it('reaches done from everywhere but done itself', () => {
    const reaching = ALLOWED.filter(([, to]) => to === 'done').map(([from]) => from);
    expect(reaching).toEqual(STATES.filter((state) => state !== 'done'));
  });

  it('is where it has to be without a step when it is there already', () => {
    const { machine, heard } = machineIn('streaming');
    machine.ensure('streaming');
    expect(heard).toEqual([]);
    machine.ensure('tool_use');
    expect(heard).toEqual([{ type: 'state_change', from: 'streaming', to: 'tool_use' }]);
    expect(() => machine.ensure('idle')).toThrow('cannot go from tool_use to idle');
  });

  it('tells every listener until it is taken off', () => {
    const { machine, heard, off } = machineIn('idle');
    const all: ExecutionEvent[] = [];
    machine.on((event) => all.push(event));
    machine.transition('streaming');
    off();
    machine.transition('done');
    expect(heard).toEqual([{ type: 'state_change', from: 'idle', to: 'streaming' }]);
    expect(all).toMatchObject([{ to: 'streaming' }, { to: 'done' }]);
  });

  it('passes other events on as they are', () => {
    const { machine, heard } = machineIn('streaming');
    const event: ExecutionEvent = { type: 'text_delta', delta: 'hi' };
    machine.emit(event);
    expect(heard).toEqual([event]);
  });
});
