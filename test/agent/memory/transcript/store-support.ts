import { readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createTranscriptStore,
  type TranscriptEntry,
} from '#src/agent/memory/transcript/transcript-store.ts';
import type { ConversationMessage } from '#src/kernel/model.ts';
import { SESSION } from '#test/agent/support.ts';
import { recordingEvents, recordingLogger } from '#test/support/context.ts';
import { temporaryDir } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { turn } from './support.ts';

/** A store in a directory of its own, and a look at what it wrote there. */
export const setUpStore = () => {
  const dataDir = temporaryDir();
  const clock = new ManualClock();
  const { logger, records } = recordingLogger();
  const { events, payloads } = recordingEvents();
  const store = createTranscriptStore(dataDir, clock, logger, events);
  const directory = join(dataDir, 'sessions');
  const onlyFile = async (): Promise<string> => {
    const name = (await readdir(directory)).find((each) => each.endsWith('.jsonl'));
    return join(directory, name ?? '');
  };
  /** The contents of the files with this ending, in the order of their names. */
  const filesOf = (ending: string): readonly string[] =>
    readdirSync(directory)
      .filter((name) => name.endsWith(ending))
      .toSorted()
      .map((name) => readFileSync(join(directory, name), 'utf8'));
  const write = async (
    name: string | number,
    ...messages: readonly ConversationMessage[]
  ): Promise<readonly TranscriptEntry[]> => {
    const written: TranscriptEntry[] = [];
    for (const message of messages)
      written.push(await store.append(SESSION, { turnId: turn(name), message }));
    return written;
  };
  return { dataDir, clock, store, directory, onlyFile, filesOf, write, records, payloads };
};
