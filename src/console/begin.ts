/** How every console begins: which session, trust, the question about messages that would be lost, and the offline model where none is set up. */
import type { AgentConfig } from '../agent/config.ts';
import type { PermissionMode } from '../agent/contracts.ts';
import { Client } from '../client/client.ts';
import { workFolder } from '../client/folder-at.ts';
import { wantsToGoOn } from '../client/goes-on.ts';
import type { Listener } from '../client/listener.ts';
import type { ClientOptions } from '../client/options.ts';
import { addedFolders, flagRules } from '../client/permissions.ts';
import { placeHere, type TrustQuestion } from '../client/place-here.ts';
import { type ClientSession, openClientSession } from '../client/session.ts';
import type { Attendants } from '../client/setup.ts';
import { compact } from '../model/index.ts';
import { scriptProvider } from '../providers/offline-script.ts';
import { InputError } from '../store/errors.ts';

export interface ConsoleSetup {
	readonly options: ClientOptions;
	/** The first prompt. */
	readonly prompt?: string | undefined;
	readonly version: string;
}

/** Who is asked before there is a client. */
export interface Beginning {
	readonly listener: Listener;
	readonly steer?: AgentConfig['steer'];
	attend(session: ClientSession, mode: () => PermissionMode): Attendants;
	/** The file of the session to go on with, or `new`; undefined: none of them. */
	chooses(cwd: string): Promise<string | 'new' | undefined>;
	readonly trusts: TrustQuestion;
	/** True: go on although a part of the conversation would not be sent. */
	readonly goesOn: (what: string) => Promise<boolean>;
}

/** Undefined where the user does not want to go on with that session. */
export async function beginClient(
	{ options: given, version }: ConsoleSetup,
	at: Beginning,
): Promise<Client | undefined> {
	flagRules(given);
	addedFolders(given);
	const options = given.resume === '' ? await chosen(given, at) : given;
	if (!options) return undefined;
	const session = await openClientSession(options, process.cwd());
	try {
		const place = await placeHere(options, session.cwd, at.trusts);
		if (!(await wantsToGoOn(session, options, at.goesOn))) {
			await session[Symbol.asyncDispose]();
			return undefined;
		}
		const setup = {
			...{ options, session, ...place, listener: at.listener, stays: true, version },
			...compact({ steer: at.steer }),
			attend: (mode: () => PermissionMode) => at.attend(session, mode),
		};
		try {
			return await Client.start(setup);
		} catch (error) {
			if (!(error instanceof InputError) || error.rule !== 'no-model' || isNamed(options)) throw error;
			at.listener.note?.(noModel);
			return await Client.start({ ...setup, provider: offlineModel() });
		}
	} catch (error) {
		await session[Symbol.asyncDispose]();
		throw error;
	}
}

/** `-r` without a session: its user says which. */
async function chosen({ resume: _, ...rest }: ClientOptions, at: Beginning): Promise<ClientOptions | undefined> {
	const answer = await at.chooses(workFolder(rest, process.cwd()));
	if (answer === undefined) return undefined;
	return answer === 'new' ? rest : { ...rest, resume: answer };
}

/** Whoever names a model that cannot be asked wants to hear that, and no other one. */
function isNamed({ model, script }: ClientOptions): boolean {
	return model !== undefined || script !== undefined || process.env.REPRISE_MODEL !== undefined;
}

const noModel =
	'No model is set up, so an offline one answers. Set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or OLLAMA_HOST and start again; ' +
	'commands such as /resume, /cost and /export work without one.';

const offlineAnswer =
	'I am the offline model: I cannot think, and nothing of what you wrote has left this machine. Set a key in the environment ' +
	'(`ANTHROPIC_API_KEY`, `OPENAI_API_KEY`, `GEMINI_API_KEY`) or `OLLAMA_HOST`, start `reprise -c` again, and a real model goes on from here. ' +
	'`reprise demo` shows what one can do.';

function offlineModel() {
	const made = scriptProvider({ turns: [], default: { text: offlineAnswer } }, Date.now);
	if (!made.ok) throw new Error(made.problem);
	return made.provider;
}
