/** What a client is started with: its session and options, who hears of it, who answers its questions; and how one prompt is answered. */
import type { AgentConfig, Prompt } from '../agent/config.ts';
import type { Ask, Hook, PermissionMode, Provider, Tool } from '../agent/contracts.ts';
import type { Elicit } from '../mcp/elicitation.ts';
import type { Listener } from './listener.ts';
import type { ClientOptions } from './options.ts';
import type { Place } from './place-here.ts';
import type { ClientSession } from './session.ts';

/** Who answers questions in the user's place. */
export interface Attendants {
	readonly ask?: Ask | undefined;
	readonly elicit?: Elicit | undefined;
}

export interface ClientSetup extends Place {
	readonly options: ClientOptions;
	readonly session: ClientSession;
	readonly listener: Listener;
	/** The first prompt, where it is known: a command among prompts may need no model. */
	readonly first?: Prompt | undefined;
	/** Who answers, instead of a model that is set up here. */
	readonly provider?: Provider | undefined;
	/** Tools and hooks beside those that come with Reprise and its settings. */
	readonly moreTools?: readonly Tool[] | undefined;
	readonly hooks?: readonly Hook[] | undefined;
	/** Called once. Without it questions are answered with no. */
	readonly attend?: (mode: () => PermissionMode) => Attendants;
	/** What the user says to a run that goes on (`AgentConfig.steer`). */
	readonly steer?: AgentConfig['steer'];
	/** More prompts will come: at the end of a turn nobody waits for sub-agents in the background. */
	readonly stays?: boolean;
	/** What MCP servers are told of us. */
	readonly version?: string;
}

/** How one prompt is answered. */
export interface Answering {
	/** It was announced, because it had to wait. */
	readonly waited?: boolean;
	/** Its sender's name for it. */
	readonly uuid?: string;
	readonly signal?: AbortSignal;
	/** Called when a model is about to be asked. */
	readonly begun?: () => void;
}
