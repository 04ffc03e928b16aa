/** All formats: a new one is a folder, a line here, and its id in `FormatId`. */
export { claudeCode } from './claude-code/index.ts';
export { clido } from './clido/index.ts';
export { cline } from './cline/index.ts';
export { openclaw } from './openclaw/index.ts';
