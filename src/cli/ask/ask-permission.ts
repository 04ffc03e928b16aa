/** Whether a tool may run, asked in plain lines on a terminal: the answers (yes, always, no with a reason), what each means, and when the call is shown in the pager first. */
import type { Ask, PendingCall, PermissionMode, Verdict } from '../../agent/contracts.ts';
import { permissionsHere } from '../../client/permissions.ts';
import { whilePlanning } from '../../client/while-planning.ts';
import { localSettings, saveAllowRule } from '../../host/settings/save-rule.ts';
import { InputError } from '../../store/errors.ts';
import { thisMachine } from '../../store/find/folders.ts';
import { pageOnTerminal } from '../../terminal/pager.ts';
import { permissionText } from '../../terminal/permission-text.ts';
import { complain } from '../../terminal/prose.ts';
import { fitting, framed, questionWidth, visible } from '../../terminal/question-frame.ts';
import { paint, tellPart } from '../../terminal/writer.ts';
import { askLine, type Choice, chosenFrom, numbered, oneQuestion } from './ask.ts';
import { askUser } from './ask-question.ts';

export function askOnTerminal(cwd: string, mode: () => PermissionMode): Ask {
	return async (call, signal) =>
		whilePlanning(call, mode()) ??
		(await oneQuestion(async () => (await askUser(call, signal)) ?? (await askAbout(call, cwd, signal))));
}

const no: Verdict = { allow: false, reason: 'the user said no' };

async function askAbout(call: PendingCall, cwd: string, signal: AbortSignal): Promise<Verdict> {
	if (signal.aborted) return no;
	const text = await permissionText(call);
	const rule = await call.suggest?.();
	const paged = await tell(text);
	const choices: readonly Choice<'yes' | 'always' | 'no' | 'view'>[] = [
		{ word: 'yes', label: 'yes' },
		...(rule === undefined ? [] : [{ word: 'always', label: 'always' } as const]),
		{ word: 'no', label: 'no' },
		...(paged ? [{ word: 'view', label: 'view again' } as const] : []),
	];
	for (;;) {
		const answer = await askLine(`Allow? ${numbered(choices)}, or say why not: `, signal);
		const chosen = answer === undefined ? undefined : chosenFrom(answer, choices);
		if (answer === undefined || answer === '' || chosen === 'no') return await refusal(answer, signal);
		if (chosen === 'yes') return { allow: true };
		if (chosen === undefined) return { allow: false, reason: `the user said no: ${answer}` };
		if (chosen === 'view') await tell(text);
		else if (chosen === 'always' && rule !== undefined) {
			const verdict = await always(rule, cwd, signal);
			if (verdict) return verdict;
		} else complain(`${answer} is none of the answers`);
	}
}

/** Whoever types `n` is asked why, because a model that knows does better. Enter alone is a plain no. */
async function refusal(answer: string | undefined, signal: AbortSignal): Promise<Verdict> {
	if (answer === undefined && !signal.aborted)
		complain('no answer counts as no: the model is told that you did not allow it');
	if (answer === undefined || answer === '') return no;
	const reason = await askLine('Why not? The model is told (Enter: no reason): ', signal);
	return reason ? { allow: false, reason: `the user said no: ${reason}` } : no;
}

/** Shows the rule before it holds, and asks how long. Undefined: back to the question. */
async function always(rule: string, cwd: string, signal: AbortSignal): Promise<Verdict | undefined> {
	const settings = localSettings(cwd);
	const short = fitting(rule, questionWidth() - 'The rule would be '.length);
	if (short !== undefined) tellPart(`The rule would be ${paint('bold', short)}\n`);
	else tellPart(`The rule would be\n${framed(rule, (line) => paint('bold', line)).join('\n')}\n`);
	const choices = [
		{ word: 'session', label: 'in this session' },
		{ word: 'project', label: `in ${visible(settings)} for good` },
	] as const;
	const where = await askLine(`${numbered(choices)}, Enter goes back: `, signal);
	if (where === undefined) return no;
	const chosen = chosenFrom(where, choices);
	if (chosen === 'session') return { allow: true, always: rule };
	if (chosen !== 'project') return undefined;
	try {
		await saveAllowRule(cwd, rule, thisMachine());
	} catch (error) {
		if (!(error instanceof InputError) && !(error instanceof Error && 'code' in error)) throw error;
		complain(`the rule was not saved: ${error.message}`);
		return undefined;
	}
	const counts = permissionsHere({}, cwd).rules.allow.some(({ text }) => text === rule);
	complain(
		counts
			? `${settings} has the rule ${rule}`
			: `${settings} has the rule ${rule}; it counts in later sessions once this folder is trusted`,
	);
	return { allow: true, always: rule };
}

/** Lines that the question itself takes. */
const room = 4;

/** Prints it, or shows it in the pager when it is longer than the screen; true in the latter case. */
async function tell(text: string): Promise<boolean> {
	const rows = process.stderr.rows || 24;
	const lines = text.split('\n');
	if (lines.length + room <= rows) {
		tellPart(`${text}\n`);
		return false;
	}
	const [head = ''] = lines;
	const asked = 'The question whether it may run follows when you leave this (q).';
	if (!(await pageOnTerminal(`${paint('dim', asked)}\n${text}\n`))) {
		tellPart(`${text}\n`);
		return false;
	}
	tellPart(`${head}\n  ${paint('dim', `${lines.length - 1} lines, shown in the pager; v shows them again`)}\n`);
	return true;
}
