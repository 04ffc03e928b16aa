/** This machine as an agent sees it, and what a project's folder tells it. */
export { nodeHost } from './node-host.ts';
export { gitBranchOf, instructionNotes, projectInstructions } from './project/project.ts';
export { type CommandFile, type CommandFiles, commandFiles } from './project/slash-commands.ts';
