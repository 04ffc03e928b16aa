/** Types of a permission decision: the call, the circumstances (mode, rules, folders) and the judgement. */
import type { Json } from '../../model/index.ts';
import type { FileView, PermissionMode } from '../contracts.ts';
import type { Rules } from './rule.ts';

/** A call by the name and input that the model gave it: tools that do not exist here are decided too. */
export interface AskedCall {
	readonly tool: string;
	readonly input: Json;
}

export interface Judgement {
	readonly decision: 'allow' | 'ask' | 'deny';
	/** The rule that decided, as it was written. */
	readonly rule?: string;
	/** In words for a person or a model. */
	readonly reason: string;
	/** It would write a protected file: nothing but a person opens that. */
	readonly protects?: true;
	/** The file that was decided about: only that one may be opened. */
	readonly opens?: DecidedFile;
}

/** A file by its absolute name, and where that led when it was decided about. */
export interface DecidedFile {
	readonly path: string;
	readonly real: string;
}

export interface Circumstances {
	readonly mode: PermissionMode;
	readonly rules: Rules;
	/** The project's folder, absolute: what patterns start from. */
	readonly cwd: string;
	/** Where shell commands and relative paths of file tools start, if that is another folder by now. */
	readonly shellFolder?: string;
	readonly home: string;
	/** Folders beside `cwd` that the session may work in, absolute. */
	readonly dirs: readonly string[];
	readonly files: FileView;
	/** Its user trusts what the project's folder brings, the settings of its repository among it. */
	readonly trusted?: boolean;
	/** Servers, as rules write them (`mcp__shed`), whose calls are decided as in the mode `default` where the mode allows everything. */
	readonly askedServers?: readonly string[];
	/** True for a skill that brings tool permissions of its own: those are not given without a question. */
	readonly skillGrants?: (name: string) => boolean;
}
