/** An editor that drives the built `reprise acp` with the protocol's own client side: what it asks, what it answers, what it is told. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
	type ClientCapabilities,
	type ClientConnection,
	type ContentBlock,
	type CreateElicitationRequest,
	type CreateElicitationResponse,
	client,
	type InitializeResponse,
	methods,
	type NewSessionRequest,
	type NewSessionResponse,
	ndJsonStream,
	type RequestPermissionRequest,
	type SessionNotification,
	type SessionUpdate,
	type StopReason,
} from '@agentclientprotocol/sdk';
import type { ScriptInput } from '../../src/providers/script.ts';
import type { ClientStage } from './client.ts';

const bin = join(import.meta.dirname, '../../bin/reprise.js');

export interface EditorSetting {
	/** What the model says; each session plays it from its beginning. */
	readonly script?: ScriptInput;
	readonly args?: readonly string[];
	readonly env?: { readonly [name: string]: string };
	readonly capabilities?: ClientCapabilities;
	/** The option that is chosen, by its id; undefined: the question is cancelled. */
	readonly permit?: (
		asked: RequestPermissionRequest,
		signal: AbortSignal,
	) => Promise<string | undefined> | string | undefined;
	readonly fill?: (asked: CreateElicitationRequest) => CreateElicitationResponse;
}

type Kind = SessionUpdate['sessionUpdate'];
export type UpdateOf<K extends Kind> = Extract<SessionUpdate, { sessionUpdate: K }>;

export class TestEditor implements AsyncDisposable {
	readonly child: ChildProcessWithoutNullStreams;
	readonly connection: ClientConnection;
	readonly updates: SessionNotification[] = [];
	readonly asked: RequestPermissionRequest[] = [];
	readonly forms: CreateElicitationRequest[] = [];
	readonly visited: string[] = [];
	readonly exit: Promise<number | null>;
	readonly #setting: EditorSetting;
	readonly #cwd: string;
	err = '';
	/** All that came on stdout. */
	out = '';
	#more: () => void = () => undefined;

	constructor(stage: ClientStage, setting: EditorSetting = {}) {
		this.#setting = setting;
		this.#cwd = stage.cwd;
		const { script, args = [], env = {} } = setting;
		const played = script === undefined ? [] : ['--script', stage.script(script)];
		this.child = spawn(process.execPath, [bin, 'acp', ...played, ...args], {
			cwd: stage.home,
			env: { ...stage.env, ...env },
		});
		this.exit = new Promise((resolve) => this.child.on('close', resolve));
		this.child.stdin.on('error', () => undefined);
		this.child.stderr.on('data', (text) => {
			this.err += text;
		});
		this.child.stdout.on('data', (text) => {
			this.out += text;
		});
		const { permit = () => 'allow', fill = () => ({ action: 'decline' }) } = setting;
		this.connection = client({ name: 'test' })
			.onNotification(methods.client.session.update, ({ params }) => {
				this.updates.push(params);
				this.#more();
			})
			.onNotification(methods.client.elicitation.complete, ({ params }) => void this.visited.push(params.elicitationId))
			.onRequest(methods.client.session.requestPermission, async ({ params, signal }) => {
				this.asked.push(params);
				this.#more();
				const optionId = await permit(params, signal);
				return { outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
			})
			.onRequest(methods.client.elicitation.create, ({ params }) => {
				this.forms.push(params);
				return fill(params);
			})
			.connect(
				ndJsonStream(Writable.toWeb(this.child.stdin), Readable.toWeb(this.child.stdout) as ReadableStream<Uint8Array>),
			);
	}

	get agent(): ClientConnection['agent'] {
		return this.connection.agent;
	}

	async initialize(): Promise<InitializeResponse> {
		const { capabilities: clientCapabilities = {} } = this.#setting;
		return await this.agent.request('initialize', { protocolVersion: 1, clientCapabilities });
	}

	/** Initialized, with a session in the stage's project. */
	async begin(more: Partial<NewSessionRequest> = {}): Promise<NewSessionResponse> {
		await this.initialize();
		return await this.session(more);
	}

	async session(more: Partial<NewSessionRequest> = {}): Promise<NewSessionResponse> {
		return await this.agent.request('session/new', { cwd: this.#cwd, mcpServers: [], ...more });
	}

	async prompt(sessionId: string, said: string | ContentBlock[]): Promise<StopReason> {
		const prompt: ContentBlock[] = typeof said === 'string' ? [{ type: 'text', text: said }] : said;
		return (await this.agent.request('session/prompt', { sessionId, prompt })).stopReason;
	}

	of<K extends Kind>(kind: K, sessionId?: string): readonly UpdateOf<K>[] {
		return this.updates
			.filter((one) => sessionId === undefined || one.sessionId === sessionId)
			.flatMap(({ update }) => (update.sessionUpdate === kind ? [update as UpdateOf<K>] : []));
	}

	/** What the model has said, put together. */
	said(sessionId?: string): string {
		return this.of('agent_message_chunk', sessionId)
			.map(({ content }) => (content.type === 'text' ? content.text : `[${content.type}]`))
			.join('');
	}

	/** All that is known of a call: later updates in the place of earlier ones. */
	call(toolCallId: string): { readonly [field: string]: unknown } {
		const parts = this.updates.flatMap(({ update }) =>
			(update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update') &&
			update.toolCallId === toolCallId
				? [update]
				: [],
		);
		return Object.assign({}, ...parts);
	}

	/** The calls in the order in which they came. */
	get calls(): readonly { readonly [field: string]: unknown }[] {
		return this.of('tool_call').map(({ toolCallId }) => this.call(toolCallId));
	}

	async until(holds: () => boolean): Promise<void> {
		const limit = Date.now() + 30_000;
		while (!holds()) {
			if (Date.now() > limit) throw new Error(`waited in vain\n${this.err}\n${this.out.slice(-2000)}`);
			await new Promise<void>((resolve) => {
				this.#more = resolve;
				setTimeout(resolve, 50);
			});
		}
	}

	/** No more is said; how the command ended. */
	async end(): Promise<number | null> {
		this.child.stdin.end();
		return await this.exit;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.connection.close();
		this.child.stdin.destroy();
		const timer = setTimeout(() => this.child.kill('SIGKILL'), 10_000);
		await this.exit;
		clearTimeout(timer);
	}
}
