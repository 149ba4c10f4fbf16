import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { LONGEST_FILES } from './longest-files.ts';

const rank = ({ moduleId }: TestSpecification): number => {
  const index = LONGEST_FILES.findIndex((path) => moduleId.endsWith(path));
  return index === -1 ? LONGEST_FILES.length : index;
};

/** Alone, Vitest goes by the size of the files, or by how long they took the last time. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not that of an array
    const sorted = await super.sort(files);
    // Projects stay together, because a worker belongs to one.
    const projects = new Set(sorted.map(({ project }) => project));
    return [...projects].flatMap((each) =>
      sorted.filter(({ project }) => project === each).toSorted((a, b) => rank(a) - rank(b)),
    );
  }
}
