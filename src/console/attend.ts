/** Who answers questions at the console, and what an answer means: no, Esc, a rule that is saved, a call that is edited first, plan mode. How dialogs look: screens/. */
import type { Ask, PendingCall, PermissionMode, Verdict } from '../agent/contracts.ts';
import { permissionsHere } from '../client/permissions.ts';
import type { Attendants } from '../client/setup.ts';
import { localSettings, saveAllowRule } from '../host/settings/save-rule.ts';
import { compact, isObject, type JsonObject } from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import { thisMachine } from '../store/find/folders.ts';
import { permissionParts } from '../terminal/permission-text.ts';
import type { Dialogs } from './dialogs.ts';
import { elicitationScreen } from './screens/elicitation.ts';
import {
	type PermissionAnswer,
	type PermissionQuestion,
	PermissionScreen,
	permissionVerdict,
} from './screens/permission.ts';
import { planScreen } from './screens/plan.ts';
import { QuestionScreen, questionsIn, questionVerdict } from './screens/question.ts';
import type { Action } from './state.ts';

export interface Attending {
	readonly cwd: string;
	readonly dialogs: Dialogs;
	/** What there is to say, and that somebody is asked. */
	dispatch(action: Extract<Action, { type: 'note' | 'asking' }>): void;
	/** The user's editor on a text; undefined where it was left without saving, or there is none. */
	edit(text: string, name: string): Promise<string | undefined>;
	/** Whoever asks, its turn is over. */
	stop(): void;
	/** Somebody is waited for. */
	waits(what: string): void;
}

export function attendants(at: Attending, mode: () => PermissionMode): Attendants {
	return {
		ask: stopping(asking(at, mode), at),
		async elicit(asked, signal) {
			at.waits(`The MCP server ${asked.server} asks something`);
			using _ = asks(at);
			const answer = await at.dialogs.open(() => elicitationScreen(asked), { signal, guarded: true });
			if (answer?.action === 'cancel') at.stop();
			return answer ?? { action: 'cancel' };
		},
	};
}

/** No stops: the model would ask again, and a sub-agent's no ends the sub-agent alone. */
function stopping(ask: Ask, at: Attending): Ask {
	return async (call, signal) => {
		const verdict = await ask(call, signal);
		// What was refused is recorded before the turn ends.
		if (!verdict.allow && verdict.interrupt) setImmediate(() => at.stop());
		return verdict;
	};
}

/** While the question is open, nobody works. */
function asks({ dispatch }: Attending): Disposable {
	dispatch({ type: 'asking', asks: true });
	return { [Symbol.dispose]: () => dispatch({ type: 'asking', asks: false }) };
}

/** Whoever chose to plan is not led to change something by one key. */
const planned: Verdict = {
	allow: false,
	byMode: true,
	reason: 'in plan mode no file is changed, and nothing is run that no rule allows; say what you would do instead',
};
const unanswered: Verdict = { allow: false, reason: 'the user did not answer' };

function asking(at: Attending, mode: () => PermissionMode): Ask {
	return async (call, signal) => {
		const { name, effect } = call.tool;
		if (mode() === 'plan' && (effect === 'write' || effect === 'exec')) return planned;
		at.waits(`${name} waits for your answer`);
		using _ = asks(at);
		const how = { signal, guarded: true };
		if (name === 'AskUserQuestion') {
			const answer = await at.dialogs.open(() => new QuestionScreen(questionsIn(call.input)), how);
			return signal.aborted ? unanswered : questionVerdict(call.input, answer);
		}
		if (name === 'ExitPlanMode') return (await at.dialogs.open(() => planScreen(call.input), how)) ?? unanswered;
		return await permission(call, at, signal);
	};
}

async function permission(wanted: PendingCall, at: Attending, signal: AbortSignal): Promise<Verdict> {
	const settings = localSettings(at.cwd);
	const field = editedField(wanted);
	let call = wanted;
	for (;;) {
		const shown = await permissionParts(call);
		const rule = await call.suggest?.();
		const isEdited = call !== wanted;
		const editable: PermissionQuestion['editable'] =
			field === undefined ? undefined : field === 'command' ? field : 'change';
		const more = compact({ rule, agent: call.agent?.type, editable, edited: isEdited });
		const answer = await at.dialogs.open<PermissionAnswer>(
			(of) => new PermissionScreen({ shown, settings, ...more, ...(of > 1 && { at: 1, of }) }),
			{
				signal,
				guarded: true,
				serve: async ({ of }, screen) =>
					screen instanceof PermissionScreen ? screen.withJudged(of, (await call.allows?.(of)) ?? true) : screen,
			},
		);
		if (answer === undefined) return unanswered;
		if (answer.is === 'always' && answer.keep === 'project' && !(await saved(answer.rule, at))) continue;
		const verdict = permissionVerdict(answer);
		if (verdict) return verdict.allow && isEdited ? { ...verdict, input: call.input, edited: true } : verdict;
		// What an editor has left is looked at once more: a slip in it would be run unseen.
		call = await edited(call, field, at);
	}
}

/** The part of a call that a person can write better. */
const editedFields = ['command', 'content', 'new_string', 'new_source'] as const;

function editedField({ input }: PendingCall): (typeof editedFields)[number] | undefined {
	return isObject(input) ? editedFields.find((field) => typeof input[field] === 'string') : undefined;
}

/** The same call where nothing was changed. */
async function edited(call: PendingCall, field: string | undefined, at: Attending): Promise<PendingCall> {
	const { input } = call;
	if (field === undefined || !isObject(input)) return call;
	const before = String((input as JsonObject)[field]);
	const after = await at.edit(before, field === 'command' ? 'command.sh' : 'change.txt');
	if (after === undefined || after === before) return call;
	return (await call.withInput?.({ ...input, [field]: after })) ?? call;
}

async function saved(rule: string, at: Attending): Promise<boolean> {
	const settings = localSettings(at.cwd);
	try {
		await saveAllowRule(at.cwd, rule, thisMachine());
	} catch (error) {
		if (!(error instanceof InputError) && !(error instanceof Error && 'code' in error)) throw error;
		at.dispatch({ type: 'note', text: `the rule was not saved: ${error.message}` });
		return false;
	}
	const counts = permissionsHere({}, at.cwd).rules.allow.some(({ text }) => text === rule);
	const later = counts ? '' : '; it counts in later sessions once this folder is trusted';
	at.dispatch({ type: 'note', text: `${settings} has the rule ${rule}${later}` });
	return true;
}
