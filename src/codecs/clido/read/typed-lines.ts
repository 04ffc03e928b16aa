/** Typed lines for programs that want Clido's own shapes, exactly as its client reads them. */
import { compact, type JsonObject } from '../../../model/index.ts';
import { reportFlaws } from '../../shared/check/flaws.ts';
import type { Line } from '../../shared/read/line.ts';
import { flawEffects, resumeRules } from '../check/rules.ts';
import { refuseLine } from '../context/strict.ts';
import type { SessionLine, ToolResultLine } from '../lines.ts';
import { rawFields, rawText } from './raw-fields.ts';

export type TypedLine =
	| { readonly ok: true; readonly line: SessionLine }
	/** `loads`: true when only a resume refuses the line. */
	| { readonly ok: false; readonly why: string; readonly loads: boolean };

/** A reader of lines in order; it remembers the names of tools, which results lack. */
export function typedLines(): (line: Line) => TypedLine {
	const names = new Map<string, string>();
	return (line) => {
		let refusal: { readonly why: string; readonly loads: boolean } | undefined;
		// The first refusal counts; those of a resume come after all those of loading.
		const refuse = (rule: string, message: string, where: { readonly path?: string } = {}): void => {
			refusal ??= { why: where.path ? `${where.path}: ${message}` : message, loads: resumeRules.has(rule) };
		};
		if (line.flaws.length > 0) reportFlaws('clido', flawEffects, line, refuse);
		const type = line.value && refuseLine(line, line.value, refuse);
		if (refusal) return { ok: false, ...refusal };
		if (!line.value || type === undefined) return { ok: false, why: 'this is no line', loads: false };
		if (type === 'tool_result') return { ok: true, line: resultLine(line.value, line.bytes, names) };
		// The client's own rules have been applied, so the value has the shape of its type.
		const typed = (type === 'system' ? withoutNull(line.value) : line.value) as unknown as SessionLine;
		noteNames(typed, names);
		return { ok: true, line: typed };
	};
}

function noteNames(line: SessionLine, names: Map<string, string>): void {
	if (line.type === 'tool_call') names.set(line.tool_use_id, line.tool_name);
	if (line.type !== 'assistant_message') return;
	for (const block of line.content) if (block.type === 'tool_use') names.set(block.id, block.name);
}

function resultLine(value: JsonObject, bytes: Uint8Array, names: ReadonlyMap<string, string>): ToolResultLine {
	const { mtime_nanos: mtime, ...rest } = withoutNull(value);
	const digits = mtime === undefined ? undefined : rawText(bytes, rawFields(bytes), 'mtime_nanos');
	const line = rest as unknown as ToolResultLine;
	const mtime_nanos = digits === undefined ? undefined : BigInt(digits);
	return { ...line, ...compact({ mtime_nanos, tool_name: names.get(line.tool_use_id) }) };
}

/** The value without nulls, which the client takes for absent fields. */
function withoutNull(value: JsonObject): JsonObject {
	return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}
