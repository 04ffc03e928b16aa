/** Who hears of what the client does: a terminal, a stream of frames, an editor. */
import type { LoopEvent, RunResult } from '../agent/config.ts';
import type { PermissionMode } from '../agent/contracts.ts';
import type { AgentEvent } from '../agent/events.ts';
import type { InitFacts } from '../frames/frames.ts';
import type { EntryId } from '../model/index.ts';
import type { SessionHandle } from '../store/handle/handle.ts';

export interface Listener {
	/** A prompt is about to be answered, or a command was carried out, with this at hand. */
	begin?(facts: ClientFacts): void;
	event?(event: AgentEvent): void;
	observe?(event: LoopEvent): void;
	/** Something that the user should know, whatever the answer is. */
	note?(text: string): void;
	/** The model, or its user, has changed what may be done without asking. */
	mode?(mode: PermissionMode): void;
	/** Prompts go to another session from now on. */
	moved?(handle: SessionHandle, isCleared: boolean): void;
	/** Others have written to the session, behind this entry. */
	goneOn?(path: string, behind: EntryId | null): Promise<void>;
	/** The visit of an address that a server has asked for is over. */
	elicited?(server: string, id: string): void;
	result?(result: RunResult, sessionId: string): void;
	/** What came of a command that no model was asked about; `goesOn`: the command line that goes on with a copy elsewhere. */
	command?(result: RunResult, sessionId: string, name: string, goesOn?: string): void;
	/** A run has begun, which `stop` ends together with this client. What is returned is disposed of when the run is over. */
	running?(stop: () => void): Disposable;
}

export type ClientFacts = Omit<InitFacts, 'version'>;
