import { describe, expect, it } from 'vitest';
import type { ExecutionEvent } from '#src/kernel/agent/execution.ts';
import { liveTexts } from '#src/kernel/chat/texts/live.ts';
import { marketNoteTexts } from '#src/kernel/market/market-note-texts.ts';
import { createLiveScene, type DescribeTool, type LiveScene } from '#src/chat/delivery/live-answers.ts';
import { asks, calls, completes, ends, reset, says } from './live-support.ts';

const atWork: DescribeTool = ({ name }) => `at ${name}`;
const long: DescribeTool = () => `a\n${'b'.repeat(300)}`;
const failing: DescribeTool = () => {
  throw new Error('broken');
};

const scenes = (
  events: readonly ExecutionEvent[],
  describeTool = atWork,
): readonly (LiveScene | undefined)[] => events.map(createLiveScene('en', describeTool));
const textsOf = (events: readonly ExecutionEvent[]) => scenes(events).map((scene) => scene?.text);
const statusesOf = (events: readonly ExecutionEvent[], describeTool = atWork) =>
  scenes(events, describeTool).map((scene) => scene?.status);

const lookUp = { id: 'c1', name: 'lookup', input: {} };
const { thinking, writing, checkingNumbers } = liveTexts('en');
const corrects: ExecutionEvent = { type: 'text_reset', isRepair: true };

describe('the text of an answer that is being made', () => {
  it('grows without control tokens, nor the beginning of one', () => {
    expect(textsOf([asks, says('Up. <<ATTACH'), says('_DISCLAIMER>>'), says('\nReally.')])).toEqual([
      '',
      'Up.',
      'Up.',
      'Up.\nReally.',
    ]);
  });

  it('begins with the words of a voice message, before the model has said anything', () => {
    const follow = createLiveScene('en', atWork, 'How is *Apple*?');
    const shown = [asks, says('Let me look.'), completes(['Let me look.', lookUp]), says('304'), reset].map(
      (event) => follow(event),
    );
    const heard = '> 🎙️ “How is Apple?”';
    expect(shown.map((scene) => scene?.text)).toEqual([
      heard,
      `${heard}\n\nLet me look.`,
      heard,
      `${heard}\n\n304`,
      heard,
    ]);
    expect(shown[0]?.status).toBe(thinking());
  });

  it('leaves the words of a voice message to the status where only that is shown', () => {
    const follow = createLiveScene('en', atWork, `How is *Apple*?\n${'Well. '.repeat(100)}`, 'status');
    const shown = [asks, calls('c1', 'lookup'), says('304')].map((event) => follow(event)?.status ?? '');
    expect(shown.map((status) => status.split('” · ')[1])).toEqual([thinking(), 'at lookup', 'at lookup']);
    for (const status of shown) {
      expect(status).toMatch(/^🎙️ “How is Apple\? Well\. .*…” · /u);
      expect(status.length).toBeLessThanOrEqual(200);
    }
  });

  it('begins anew with another attempt: never two half answers', () => {
    expect(textsOf([says('It is 3'), reset, says('It is 304.')])).toEqual(['It is 3', '', 'It is 304.']);
  });

  it('is of the last words alone, as the answer will be: what was said before a call goes', () => {
    const events = [says('Let me look.'), completes(['Let me look.', lookUp]), ends('c1'), says('304')];
    expect(textsOf(events)).toEqual(['Let me look.', '', '', '304']);
  });

  it('goes on behind a pause of the provider, also after an attempt that failed there', () => {
    const paused = completes(['One <<NEED_'], { isPaused: true });
    const events = [
      says('One <<NEED_'),
      paused,
      says('IN'),
      reset,
      says('INPUT>>two'),
      completes(['INPUT>>two']),
    ];
    expect(textsOf(events)).toEqual(['One', 'One', 'One', 'One', 'One', 'Onetwo']);
  });

  it('has the blocks of a message apart when it is whole', () => {
    expect(textsOf([says('A'), says('B'), completes(['A', 'B'])])).toEqual(['A', 'AB', 'A\n\nB']);
  });

  it.each(['NO_REPLY', 'SILENT_REPLY'])('goes as soon as the model says %s', (token) => {
    expect(textsOf([says('Never mind.'), says(`\n<<${token}>>`), says('\nmore')])).toEqual([
      'Never mind.',
      '',
      '',
    ]);
  });

  it('is never a note of the program', () => {
    const note = completes(['[No answer: it failed.]'], { isNote: true });
    expect(textsOf([says('It is'), note])).toEqual(['It is', 'It is']);
  });

  it('goes while the model corrects its numbers, and is as people will read it in the end', () => {
    const kept = completes(['[No correction was made.]'], { isNote: true, shown: 'It is 201⚠️.' });
    const events = [says('It is 201.'), completes(['It is 201.']), corrects, says('It is'), kept];
    expect(textsOf(events)).toEqual(['It is 201.', 'It is 201.', '', 'It is', 'It is 201⚠️.']);
  });

  it('is marked from the moment on that made-up data was found, and stays so', () => {
    const mark = marketNoteTexts('en').sampleMark();
    const events = [ends('c1', true), says('304'), ends('c2'), reset, says('305')];
    expect(textsOf(events)).toEqual(['', `${mark}\n\n304`, `${mark}\n\n304`, '', `${mark}\n\n305`]);
    expect(textsOf([ends('c1'), says('304')])).toEqual(['', '304']);
  });
});

describe('what is said to be done', () => {
  it('is thinking, then the tool in its own words, then thinking and writing', () => {
    const events = [asks, calls('c1', 'lookup'), ends('c1'), asks, says(' '), says('304')];
    const [think, write] = [thinking(), writing()];
    expect(statusesOf(events)).toEqual([think, 'at lookup', think, think, think, write]);
  });

  it('is the check of the numbers while the model corrects them', () => {
    const events = [says('201'), corrects, calls('c1', 'lookup'), ends('c1'), says('102')];
    const [check, write] = [checkingNumbers(), writing()];
    expect(statusesOf(events)).toEqual([write, check, 'at lookup', check, write]);
  });

  it('names one of several tools at once, and counts what else is done', () => {
    const events = [calls('1', 'a'), calls('2', 'a'), calls('3', 'b'), calls('4', 'c'), ends('1'), ends('2')];
    expect(statusesOf(events)).toEqual([
      'at a',
      'at a',
      'at a (+1 more)',
      'at a (+2 more)',
      'at a (+2 more)',
      'at b (+1 more)',
    ]);
  });

  it('forgets a call whose end was never told, and does not name one that cannot be run', () => {
    expect(statusesOf([calls('1', 'a'), asks, calls('2', 'b', { malformed: 'no JSON' })])).toEqual([
      'at a',
      thinking(),
      thinking(),
    ]);
  });

  it('is one short line, and the name of a tool that cannot say it', () => {
    expect(statusesOf([calls('1', 'a')], long)).toEqual([`a ${'b'.repeat(98)}`]);
    expect(statusesOf([calls('1', 'a')], failing)).toEqual(['Using a…']);
  });
});
