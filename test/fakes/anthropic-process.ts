import { startFakeAnthropic } from '#test/fakes/anthropic/server.ts';

/** The fake model in a process of its own, so that what it costs is not counted as ours. */
const WORDS =
  'Apple closed at 304.12 dollars, 0.59 percent below the previous close, on the sample data of that day. ';
const fake = await startFakeAnthropic({ keepBodies: false });
fake.otherwise((body) => {
  const last = JSON.stringify(body.messages?.at(-1) ?? {});
  return last.includes('"tool_result"')
    ? { kind: 'answer', text: WORDS.repeat(5) }
    : {
        kind: 'answer',
        text: 'I look that up.',
        toolCalls: [{ name: 'get_quote', input: { symbols: ['AAPL', 'TSLA', '005930'], fields: 'all' } }],
      };
});
process.on('disconnect', () => process.exit(0));
process.send?.(fake.url);
