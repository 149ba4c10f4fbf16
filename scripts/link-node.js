// Runs after every install, on whatever Node npm itself runs on: plain JavaScript, no dependencies, no network.
// npm 10 removes node_modules/.bin/node together with the packages of other platforms; this puts the link back.
import { linkBundledNode } from '../bin/bundled-node.js';

const { problem, isInstalled } = linkBundledNode();
if (problem !== undefined) {
  console.error(problem);
  // What is installed may be for another machine, as in the build stage of an image.
  if (!isInstalled) process.exitCode = 1;
}
