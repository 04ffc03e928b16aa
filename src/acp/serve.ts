/** The Agent Client Protocol: which requests and capabilities editors get, in which order requests about a session are done, and which error code a failure has. */
import { isAbsolute } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import {
	type AgentConnection,
	agent,
	type ClientCapabilities,
	type InitializeResponse,
	type McpServer,
	methods,
	PROTOCOL_VERSION,
	RequestError,
} from '@agentclientprotocol/sdk';
import { folderAt } from '../client/folder-at.ts';
import type { ClientOptions } from '../client/options.ts';
import { codeOf, LogError } from '../log/errors.ts';
import { errorText } from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import { thisMachine } from '../store/find/folders.ts';
import { deleteSession } from '../store/manage/trash.ts';
import { EditorSession } from './editor-session.ts';
import { listPage, pathOfSession } from './list.ts';
import { lineStream } from './wire.ts';

export interface ServeEditorOptions {
	/** What holds for every session: the flags of the command. */
	readonly options: ClientOptions;
	/** What the editor is told of us. */
	readonly version: string;
	readonly input: Readable;
	/** Gets whole lines. */
	readonly output: Writable;
	/** One line for whoever reads the editor's log. */
	warn(text: string): void;
	/** Ends all turns, closes all sessions. */
	readonly signal: AbortSignal;
}

/** Serves until the input ends or the signal comes. All sessions are closed then. */
export async function serveEditor(serving: ServeEditorOptions): Promise<void> {
	const { input, output, signal } = serving;
	const served = new Served(serving);
	const connection = served.connect(lineStream(input, output));
	const stop = (): void => connection.close();
	signal.addEventListener('abort', stop);
	if (signal.aborted) stop();
	await connection.closed;
	await served.closeAll();
	input.destroy();
}

/** What an editor may ask for. */
const capabilities: NonNullable<InitializeResponse['agentCapabilities']> = {
	loadSession: true,
	promptCapabilities: { image: true, audio: false, embeddedContext: true },
	mcpCapabilities: { http: true, sse: false },
	sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
};

interface Wanted {
	readonly cwd: string;
	readonly additionalDirectories?: readonly string[];
	readonly mcpServers?: readonly McpServer[];
}

class Served {
	readonly #serving: ServeEditorOptions;
	readonly #sessions = new Map<string, EditorSession>();
	/** What is being done about a session by its name: opening and closing it wait for each other. */
	readonly #inOrder = new Map<string, Promise<unknown>>();
	#capabilities: ClientCapabilities = {};
	#connection: AgentConnection | undefined;
	#closed = false;

	constructor(serving: ServeEditorOptions) {
		this.#serving = serving;
	}

	connect(stream: ReturnType<typeof lineStream>): AgentConnection {
		const { session } = methods.agent;
		const answered = this.#answered;
		const app = agent({ name: 'reprise' })
			.onRequest(
				methods.agent.initialize,
				answered(({ params }) => this.#initialize(params.clientCapabilities)),
			)
			.onRequest(
				session.new,
				answered(async ({ params }) => {
					const opened = await this.#open(params);
					return { sessionId: opened.id, ...opened.state() };
				}),
			)
			.onRequest(
				session.load,
				answered(({ params }) => this.#reopen(params.sessionId, params, true)),
			)
			.onRequest(
				session.resume,
				answered(({ params }) => this.#reopen(params.sessionId, params, false)),
			)
			.onRequest(
				session.list,
				answered(({ params }) => listPage(params, (text) => this.#serving.warn(text))),
			)
			.onRequest(
				session.close,
				answered(async ({ params: { sessionId } }) => {
					this.#named(sessionId);
					await this.#after(sessionId, () => this.#close(sessionId));
					return {};
				}),
			)
			.onRequest(
				session.delete,
				answered(async ({ params: { sessionId } }) => {
					await this.#after(sessionId, async () => {
						await this.#close(sessionId);
						await deleteSession(found(sessionId), thisMachine());
					});
					return {};
				}),
			)
			.onRequest(
				session.setMode,
				answered(({ params }) => {
					this.#named(params.sessionId).chooseMode(params.modeId);
					return {};
				}),
			)
			.onRequest(
				session.setConfigOption,
				answered(async ({ params }) => {
					const one = this.#named(params.sessionId);
					await one.choose(params.configId, params.value);
					return { configOptions: one.state().configOptions };
				}),
			)
			.onRequest(
				session.prompt,
				answered(({ params, signal }) => this.#named(params.sessionId).prompt(params.prompt, signal)),
			)
			.onNotification(session.cancel, ({ params }) => this.#sessions.get(params.sessionId)?.cancel());
		this.#connection = app.connect(stream);
		return this.#connection;
	}

	async closeAll(): Promise<void> {
		this.#closed = true;
		for (const one of this.#sessions.values()) one.cancel();
		await Promise.allSettled(this.#inOrder.values());
		await Promise.all([...this.#sessions.keys()].map((id) => this.#close(id).catch((error) => this.#failed(error))));
	}

	#initialize(given: ClientCapabilities = {}): InitializeResponse {
		this.#capabilities = given;
		return {
			protocolVersion: PROTOCOL_VERSION,
			agentCapabilities: capabilities,
			agentInfo: { name: 'reprise', title: 'Reprise', version: this.#serving.version },
			authMethods: [],
		};
	}

	async #open(wanted: Wanted, existing: { readonly id?: string; readonly path?: string } = {}): Promise<EditorSession> {
		const { cwd, additionalDirectories: dirs = [], mcpServers: servers = [] } = wanted;
		for (const [at, folder] of [cwd, ...dirs].entries()) {
			if (!isAbsolute(folder)) throw new InputError('bad-value', `${folder} is not an absolute path`);
			folderAt(folder, at === 0 ? 'cwd' : 'additionalDirectories');
		}
		const peer = this.#connection?.client;
		if (!peer) throw new Error('there is no editor yet');
		const editor = { ...this.#serving, peer, capabilities: this.#capabilities };
		const session = await EditorSession.open(editor, { ...existing, cwd, dirs, servers });
		this.#sessions.set(session.id, session);
		// Its name is on its way to the editor, which would not know what an update is about before that.
		setImmediate(() => void session.opened().catch((error) => this.#failed(error)));
		// Nobody is left to close it who knew of it when the editor went away.
		if (this.#closed) await this.#close(session.id);
		return session;
	}

	async #reopen(id: string, wanted: Wanted, replays: boolean) {
		return await this.#after(id, async () => {
			for (const one of [...this.#sessions.values()]) if (one.holds.includes(id)) await this.#close(one.id);
			const session = await this.#open(wanted, { id, path: found(id) });
			if (replays) await session.replay();
			return session.state();
		});
	}

	async #close(id: string): Promise<void> {
		const session = this.#sessions.get(id);
		this.#sessions.delete(id);
		await session?.close();
	}

	#named(id: string): EditorSession {
		const session = this.#sessions.get(id);
		if (!session) throw RequestError.sessionNotFound(id);
		return session;
	}

	async #after<T>(id: string, work: () => Promise<T>): Promise<T> {
		const before = this.#inOrder.get(id) ?? Promise.resolve();
		const mine = before.then(work, work);
		const settled = mine.catch(() => undefined);
		this.#inOrder.set(id, settled);
		try {
			return await mine;
		} finally {
			if (this.#inOrder.get(id) === settled) this.#inOrder.delete(id);
		}
	}

	/** Whatever goes wrong is an answer to the one who asked, in words, and nothing more. */
	readonly #answered =
		<C, R>(answer: (context: C) => R | Promise<R>) =>
		async (context: C): Promise<R> => {
			try {
				return await answer(context);
			} catch (error) {
				if (error instanceof RequestError) throw error;
				if (error instanceof InputError) throw new RequestError(-32602, error.message, { rule: error.rule });
				const isKnown = error instanceof LogError || codeOf(error) !== undefined;
				if (!isKnown) this.#failed(error);
				throw new RequestError(-32603, errorText(error));
			}
		};

	#failed(error: unknown): void {
		this.#serving.warn(error instanceof Error ? (error.stack ?? error.message) : String(error));
	}
}

function found(id: string): string {
	const path = pathOfSession(id);
	if (path === undefined) throw RequestError.sessionNotFound(id);
	return path;
}
