import type { TestCase, TestModule, TestModuleState } from 'vitest/node';
import { DefaultReporter } from 'vitest/node';

type Ended = Parameters<DefaultReporter['onTestRunEnd']>;

/**
 * Prints failures, what passed only when it was tried again, and the last lines, but nothing of what passes. In a
 * terminal, what runs is seen meanwhile.
 */
export class QuietReporter extends DefaultReporter {
  readonly #flaky: string[] = [];

  override onTestCaseResult(test: TestCase): void {
    super.onTestCaseResult(test);
    if (test.diagnostic()?.flaky) this.#flaky.push(`${test.module.relativeModuleId} > ${test.fullName}`);
  }

  override onTestRunEnd(...ended: Ended): void {
    super.onTestRunEnd(...ended);
    for (const name of this.#flaky) this.log(`FLAKY, a defect of the program or of the test: ${name}`);
  }

  protected override printTestModule(testModule: TestModule): void {
    if (testModule.state() === 'failed') super.printTestModule(testModule);
  }

  protected override printTestCase(moduleState: TestModuleState, test: TestCase): void {
    if (test.result().state === 'failed') super.printTestCase(moduleState, test);
  }
}
