/** Runs of the agent against a script, in a scratch folder. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentConfig, LoopEvent, Prompt, RunResult } from '../../src/agent/config.ts';
import type { Provider } from '../../src/agent/contracts.ts';
import type { AgentEvent } from '../../src/agent/events.ts';
import { newConversation, type Run, startRun } from '../../src/agent/run.ts';
import { nodeHost } from '../../src/host/node-host.ts';
import type { FormatId, Profile } from '../../src/model/index.ts';
import { scriptProvider } from '../../src/providers/offline-script.ts';
import type { ScriptInput } from '../../src/providers/script.ts';
import { type CreateOptions, createHandle } from '../../src/store/handle/create.ts';
import type { SessionHandle } from '../../src/store/handle/handle.ts';
import { builtinTools } from '../../src/tools/index.ts';
import { type Scratch, scratchMachine } from './scratch.ts';

/** A provider that plays a script. */
export function scripted(script: ScriptInput): Provider {
	const made = scriptProvider(script);
	if (!made.ok) throw new Error(made.problem);
	return made.provider;
}

/** A folder with a project in it: `a.txt` says hello. */
export function projectIn(folder: string): string {
	const cwd = join(folder, 'project');
	mkdirSync(cwd, { recursive: true });
	writeFileSync(join(cwd, 'a.txt'), 'hello\nworld\n');
	return cwd;
}

export interface Setting {
	/** Default: a new one, which goes when the stage is taken down. */
	readonly scratch?: Scratch;
	readonly format?: FormatId;
	readonly profile?: Profile;
	readonly config?: Partial<AgentConfig>;
	readonly create?: Partial<CreateOptions>;
}

/** A handle on a new session and everything to run in it. Nothing waits long here. */
export async function stage(provider: Provider, setting: Setting = {}): Promise<Stage> {
	const { scratch = scratchMachine(), format = 'claude-code', profile = 'client' } = setting;
	const { machine, root } = scratch;
	const cwd = projectIn(root);
	const handle = await createHandle({
		format,
		profile,
		cwd,
		home: scratch.home,
		machine,
		header: { model: 'claude-sonnet-4-5', provider: provider.id, gitBranch: 'main' },
		...setting.create,
	});
	const observed: LoopEvent[] = [];
	const config: AgentConfig = {
		provider,
		model: 'claude-sonnet-4-5',
		system: 'You are a test.',
		tools: builtinTools,
		cwd,
		mode: 'bypassPermissions',
		host: nodeHost(),
		retry: { firstWaitMs: 1, longestWaitMs: 5 },
		observe: (event) => observed.push(event),
		...setting.config,
	};
	return new Stage(handle, config, observed, scratch);
}

export class Stage implements AsyncDisposable {
	readonly handle: SessionHandle;
	readonly config: AgentConfig;
	readonly observed: readonly LoopEvent[];
	readonly conversation = newConversation();
	readonly scratch: Scratch;

	constructor(handle: SessionHandle, config: AgentConfig, observed: readonly LoopEvent[], scratch: Scratch) {
		this.handle = handle;
		this.config = config;
		this.observed = observed;
		this.scratch = scratch;
	}

	start(prompt: Prompt, onEvent?: (event: AgentEvent) => void): Run {
		return startRun(this.handle, this.conversation, prompt, this.config, onEvent ? { onEvent } : {});
	}

	/** A whole run with all its events. */
	async run(prompt: Prompt): Promise<{ readonly result: RunResult; readonly events: readonly AgentEvent[] }> {
		const events: AgentEvent[] = [];
		const result = await this.start(prompt, (event) => events.push(event)).result;
		return { result, events };
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.handle[Symbol.asyncDispose]();
		this.scratch[Symbol.dispose]();
	}
}
