/** Types of prompts that stand for more than they say: slash commands, skills and named files (`client/commands/expand.ts` makes the texts). */
import type { ImageContent, Json } from '../model/index.ts';
import type { ToolOutput } from './contracts.ts';

/** A command by its name, without the slash, and what was written behind it. */
export interface CalledCommand {
	readonly name: string;
	readonly args: string;
}

export type Expanded =
	| {
			/** Absent where the prompt calls none, and only names files. */
			readonly command?: CalledCommand;
			/** What the model is told, each as a message of its own that nobody typed. */
			readonly texts: readonly string[];
			/** Rules that hold while it is carried out, as they were written. */
			readonly allowed?: readonly string[];
			readonly named?: NamedFiles;
	  }
	/** Why it stands for nothing now: nobody is asked, and nothing is recorded. */
	| { readonly problem: string };

/** The files that a prompt names. */
export interface NamedFiles {
	readonly along: readonly NamedFile[];
	/** What does not go along, and why: a sentence for each. */
	readonly left: readonly string[];
}

export interface NamedFile {
	readonly name: string;
	/** In bytes. */
	readonly size: number;
	/** It is a picture, and goes along as one. */
	readonly picture?: ImageContent;
}

export interface Expansion {
	/** Who calls the command; an agent is told a skill with its first task. */
	readonly by: 'user' | 'model' | 'agent';
	/** Runs a tool for it, under the permissions and hooks of the run. Neither the call nor its result is a part of the conversation. */
	call(tool: string, input: Json): Promise<ToolOutput>;
}

/** Undefined: the prompt calls no command and names no file, and says what it says. */
export type Expand = (prompt: string, how: Expansion) => Promise<Expanded | undefined>;
