import { describe, expect, it } from 'vitest';
import { createEvents } from '#src/platform/events.ts';

describe('createEvents', () => {
  it('hands every event with its name and payload to every listener, in order', () => {
    const events = createEvents((error) => {
      throw error;
    });
    const seen: unknown[] = [];
    events.onAny((name, payload) => seen.push(['first', name, payload]));
    events.onAny((name, payload) => seen.push(['second', name, payload]));
    events.emit('inbox:recover', { count: 3 });
    events.emit('session:repair', { sessionKey: 's', corruptions: [] });
    expect(seen).toEqual([
      ['first', 'inbox:recover', { count: 3 }],
      ['second', 'inbox:recover', { count: 3 }],
      ['first', 'session:repair', { sessionKey: 's', corruptions: [] }],
      ['second', 'session:repair', { sessionKey: 's', corruptions: [] }],
    ]);
  });

  it('does not hand events to a listener that came later', () => {
    const events = createEvents(() => undefined);
    const seen: string[] = [];
    events.emit('inbox:recover', { count: 1 });
    events.onAny((name) => seen.push(name));
    expect(seen).toEqual([]);
  });

  it('reports a listener that throws and still calls the others', () => {
    const errors: unknown[] = [];
    const events = createEvents((error) => errors.push(error));
    const seen: string[] = [];
    const broken = new Error('broken listener');
    events.onAny(() => {
      throw broken;
    });
    events.onAny((name) => seen.push(name));
    expect(() => events.emit('inbox:recover', { count: 1 })).not.toThrow();
    expect(errors).toEqual([broken]);
    expect(seen).toEqual(['inbox:recover']);
  });
});
