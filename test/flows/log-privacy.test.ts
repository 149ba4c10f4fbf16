import { describe, expect, it } from 'vitest';
import { answer, startEngineApp } from '#test/support/engine-app.ts';

describe('the log at its finest level', () => {
  it('holds no word of messages, answers, tool inputs and file names', async () => {
    const app = await startEngineApp();
    app.claude.reply(
      { kind: 'answer', toolCalls: [{ name: 'search_symbol', input: { query: 'heron industries' } }] },
      answer('Nothing about the heron.'),
      answer('Heron noted.<<SILENT_REPLY>>'),
      answer('No heron in it.'),
    );
    await app.ask('ann', 'Is there a heron stock?');
    await app.ask('ann', 'I keep a heron.');
    const file = { kind: 'file', mimeType: 'text/plain', name: 'my-heron.txt', url: 'inbox/1' } as const;
    await app.ask('ann', 'What does it say?', { media: [file] });
    await app.ask('ann', '/portfolio new heron');
    await app.ask('ann', '/alert heron > 5');
    expect(app.claude.history).toHaveLength(4);
    expect(app.log.length).toBeGreaterThan(20);
    expect(app.log.filter((line) => /heron/i.test(line))).toEqual([]);
  });
});
