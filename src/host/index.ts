/** This machine as an agent sees it, and what a project's folder tells it. */
export { nodeHost } from './node-host.ts';
export { gitBranchOf } from './project/git-branch.ts';
export { type GivenInstructions, type InstructionSources, instructionsFor } from './project/instructions.ts';
export { type CommandFile, type CommandFiles, commandFiles } from './project/slash-commands.ts';
