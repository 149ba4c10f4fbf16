import type { TestCase, TestModule, TestModuleState } from 'vitest/node';
import { DefaultReporter } from 'vitest/node';

/** Prints failures and the last lines, and nothing of what passes. In a terminal, what runs is seen meanwhile. */
export class QuietReporter extends DefaultReporter {
  protected override printTestModule(testModule: TestModule): void {
    if (testModule.state() === 'failed') super.printTestModule(testModule);
  }

  protected override printTestCase(moduleState: TestModuleState, test: TestCase): void {
    if (test.result().state === 'failed') super.printTestCase(moduleState, test);
  }
}
